import type {
  AssignmentCause,
  AssignmentState,
} from '../../../domain/assignment/assignment-cause.ts';
import { TRANSITIONS } from '../../../domain/assignment/transitions.ts';
import { prepareStage } from './walk/stage.ts';
import { startWalk, type Command } from './walk/walk.ts';

const stage = await prepareStage();
afterAll(() => stage.api.stop());

const onExpiry = 'note';
/** What brings a new lead into each state. */
const WAYS: Record<AssignmentState['status'], Command[]> = {
  new: [],
  pending: [],
  assigned: [{ kind: 'route', to: 'agent', onExpiry }],
  pool: [{ kind: 'route', to: 'pool', onExpiry }],
  unassigned: [{ kind: 'route', to: 'nobody', onExpiry }],
};

/** The commands that are the event, one for each path that leads to it. */
const PATHS: Record<AssignmentCause['kind'], Command[]> = {
  created: [],
  created_with_owner: [],
  routed_to_agent: [{ kind: 'route', to: 'agent', onExpiry }],
  routed_to_pool: [{ kind: 'route', to: 'pool', onExpiry }],
  left_unassigned: [{ kind: 'route', to: 'nobody', onExpiry }],
  waiting: [{ kind: 'route', to: 'wait', onExpiry }],
  new_details: [{ kind: 'update' }, { kind: 'resolve' }],
  follow_up_expired: [{ kind: 'expire' }],
  follow_up_reassigned: [{ kind: 'expire' }],
  follow_up_pooled: [{ kind: 'expire' }],
  claimed: [{ kind: 'claim', agent: 1 }],
  operator_assigned: [
    { kind: 'giveToAgent', agent: 1 },
    { kind: 'sendBack', to: 'agent', onExpiry },
  ],
  operator_pooled: [
    { kind: 'putIntoPool', pool: 1 },
    { kind: 'sendBack', to: 'pool', onExpiry },
  ],
  operator_unassigned: [{ kind: 'sendBack', to: 'nobody', onExpiry }],
  operator_waiting: [{ kind: 'sendBack', to: 'wait', onExpiry }],
  responded: [{ kind: 'respond' }],
  enquired: [{ kind: 'merge' }],
};

/** The terms under which a follow-up ends in the event. */
function wayTo(from: AssignmentState['status'], cause: AssignmentCause['kind']): Command[] {
  if (cause === 'follow_up_reassigned')
    return [{ kind: 'route', to: 'agent', onExpiry: 'reassign' }];
  if (cause === 'follow_up_pooled') return [{ kind: 'route', to: 'agent', onExpiry: 'pool' }];
  return WAYS[from];
}

const table = TRANSITIONS.map(({ from, cause }) => ({ from, cause }));
test.each(table)('$from takes $cause by each of its paths', async ({ from, cause }) => {
  const creation = cause === 'created_with_owner' ? 'with_owner' : 'without_owner';
  const paths = from === 'new' ? [[]] : PATHS[cause].map((path) => [path]);
  for (const path of paths) {
    const walk = await startWalk(stage, creation);
    for (const each of [...wayTo(from, cause), ...path]) await walk.take(each);
    expect(walk.taken.at(-1)).toEqual({ from, cause });
  }
});
