import { eventSchemas } from '../../../../api/responses/events.ts';
import type {
  AssignmentCause,
  AssignmentState,
} from '../../../../domain/assignment/assignment-cause.ts';
import {
  newAssignment,
  requireTransition,
  type EventRequirements,
  type Transition,
} from '../../../../domain/assignment/transitions.ts';
import type {
  AgentView,
  EventData,
  LeadEventType,
} from '../../../../domain/webhooks/event-payloads.ts';
import type { Database } from '../../../../store/db/database.ts';

export interface Step {
  /** The event that happened; null: none. */
  event: AssignmentCause | null;
  /** The kinds of the notes that the path leaves beside the transition's own. */
  notes?: string[];
  /** The path ends outside of the lead's run, which it signals to have an event delivered. */
  signals?: boolean;
}

export type Ledger = ReturnType<typeof openLedger>;

/** Where a lead stands by the table of transitions, and what its rows should be. */
export function openLedger(database: Database, leadId: string, isPersonal: boolean) {
  const taken: { from: string; cause: string }[] = [];
  const readAdditions = additionsReader(database, leadId);
  let state = newAssignment({ isPersonal });
  let owner: string | null = null;
  /** Who holds it or held it last. */
  let lastHolder: string | null = null;
  let pool: string | null = null;
  let sequence = 0;

  function advance({ kind }: AssignmentCause, transition: Transition): void {
    const { status, round, moves, clock, holder, webhookEvents } = transition;
    taken.push({ from: state.status, cause: kind });
    const isResponded = state.isResponded || kind === 'responded';
    const isClockRunning = clock.kind === 'keep' ? state.isClockRunning : clock.kind === 'start';
    state = { ...state, status, round, moves, isResponded, isClockRunning };
    sequence += webhookEvents.length;
    if (holder.kind === 'unchanged') return;
    owner = holder.kind === 'agent' ? holder.agent.id : null;
    pool = holder.kind === 'pool' ? holder.poolId : null;
    state.poolId = pool;
    lastHolder = owner ?? lastHolder;
  }

  function rowDue() {
    const { status, round, moves, isClockRunning } = state;
    const counts = { round, moves, sequence };
    return { status, ...counts, owner, pool, isClockRunning };
  }

  function additionsDue(transition: Transition, previous: string | null) {
    const { note, history, webhookEvents } = transition;
    const first = sequence - webhookEvents.length + 1;
    const entry = history && {
      round: history.round,
      move: history.move,
      status: history.status,
      decidedBy: history.decidedBy,
      agent: owner,
      previous,
      pool,
    };
    return {
      notes: note ? [note.kind] : [],
      history: entry ? [entry] : [],
      events: webhookEvents.map((type, index) => ({
        type,
        sequence: first + index,
        deliveries: 1,
        data: expect.objectContaining(ownDataDue(type, transition, previous)),
      })),
    };
  }

  return {
    taken,
    state: () => state,
    owner: () => owner,

    /** Compares the lead's row, and what it has more than before, with what the table makes of the event. */
    async expectStep({ event, notes = [], signals = false }: Step): Promise<void> {
      const previous = lastHolder;
      const transition = event && requireTransition(state, event);
      if (event && transition) advance(event, transition);
      const due = transition ? additionsDue(transition, previous) : NOTHING;
      const history = transition?.history;
      const { isSignalled, ...added } = await readAdditions(history?.status ?? state.status);
      const after = event?.kind ?? 'nothing';
      expect({ after, row: await readRow(database, leadId), ...added }).toEqual({
        after,
        row: rowDue(),
        ...due,
        notes: [...notes, ...due.notes].sort(),
      });
      if (signals && due.events.length > 0) expect(isSignalled).toBe(true);
    },
  };
}

/** The data that events of other types do not have. */
const ownData: {
  [Type in LeadEventType]: (
    cause: EventRequirements[Type],
    previous: string | null,
  ) => { [Name in keyof EventData[Type]]?: unknown };
} = {
  'lead.created': () => ({ isRepeatLead: false, repeatOfLeadId: null }),
  'lead.assigned': ({ agent }, previousAgentId) => ({ agent: viewOf(agent), previousAgentId }),
  'lead.pooled': () => ({ poolName: expect.stringMatching(/./) }),
  'lead.unassigned': ({ kind }) => ({
    reason: kind === 'operator_waiting' ? 'waiting' : expect.not.stringMatching('waiting'),
  }),
  'lead.responded': ({ seconds, holder }) => ({ seconds, agent: holder && viewOf(holder) }),
  'lead.enquired': ({ enquiry: { assignedTo, ...enquiry } }) => ({
    ...enquiry,
    assignedTo: assignedTo && viewOf(assignedTo),
  }),
};

const viewOf = ({ id }: AgentView) => expect.objectContaining({ id });

function ownDataDue<Type extends LeadEventType>(
  type: Type,
  { cause }: Transition,
  previous: string | null,
): object {
  return ownData[type](cause as AssignmentCause & EventRequirements[Type], previous);
}

const NOTHING = { notes: [], history: [], events: [] };

async function readRow(database: Database, leadId: string): Promise<object | undefined> {
  const [row] = await database.query<object>(
    `select assignment_status as status, round, moves, event_sequence as sequence, owner_id as owner,
       pool_id as pool, follow_up_due_at is not null as "isClockRunning" from leads where id = $1`,
    [leadId],
  );
  return row;
}

interface StoredRows {
  notes: { id: string; kind: string; text: string }[];
  history: { id: string; reason: string }[];
  events: { id: string; type: LeadEventType; sequence: number; body: string }[];
  outbox: { id: string }[];
}

const READ_ROWS = `select
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'text', text) order by kind), '[]')
   from timeline_notes where lead_id = $1) as notes,
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'round', round, 'move', move, 'status', status,
     'agent', agent_id, 'previous', previous_agent_id, 'pool', pool_id, 'decidedBy', decided_by,
     'reason', reason) order by round, move), '[]') from assignments where lead_id = $1) as history,
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'sequence', sequence, 'body', body,
     'deliveries', (select count(*) from webhook_deliveries d where d.event_id = e.id)) order by sequence), '[]')
   from webhook_events e where lead_id = $1) as events,
  (select coalesce(jsonb_agg(jsonb_build_object('id', id) order by id), '[]')
   from lead_outbox where lead_id = $1) as outbox`;

function additionsReader(database: Database, leadId: string) {
  const seen = new Set<string>();
  function newOf<Row extends { id: string }>(name: keyof StoredRows, rows: Row[]): Row[] {
    const added = rows.filter(({ id }) => !seen.has(`${name} ${id}`));
    for (const { id } of added) seen.add(`${name} ${id}`);
    return added;
  }
  return async (status: AssignmentState['status']) => {
    const rows = (await database.queryOne<StoredRows>(READ_ROWS, [leadId])) as StoredRows;
    const [notes, history] = [newOf('notes', rows.notes), newOf('history', rows.history)];
    const [events, outbox] = [newOf('events', rows.events), newOf('outbox', rows.outbox)];
    for (const { text } of notes) expect(text).toMatch(SENTENCE);
    return {
      notes: notes.map(({ kind }) => kind).sort(),
      history: history.map(({ id: _id, reason, ...entry }) => {
        expect(reason).toMatch(SENTENCE);
        return entry;
      }),
      events: events.map((event) => readEvent({ leadId, status }, event)),
      isSignalled: outbox.length > 0,
    };
  };
}

const SENTENCE = /^\S.*\.$/;

export const INTEGRATION_REF = 'page-7';

/** The body is as the document says; what events have in common is the lead's. */
function readEvent(
  { leadId, status }: { leadId: string; status: AssignmentState['status'] },
  { id: _id, body, ...event }: StoredRows['events'][number],
) {
  const { type, data } = eventSchemas[event.type].strict().parse(JSON.parse(body));
  expect({ type, data }).toMatchObject({
    type: event.type,
    data: {
      leadId,
      sequence: event.sequence,
      integrationRef: INTEGRATION_REF,
      ...('status' in data && { status }),
    },
  });
  return { ...event, data };
}
