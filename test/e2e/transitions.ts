import { isDeepStrictEqual } from 'node:util';
/** A lead as the storm left it. */
export interface LeadRecord {
  status: State;
  round: number;
  moves: number;
  ownerId: string | null;
  isPersonal: boolean;
  history: AssignmentRecord[];
  events: {
    type: string;
    sequence: number;
    agentId: string | null;
    previousAgentId: string | null;
  }[];
}

export interface AssignmentRecord {
  round: number;
  move: number;
  status: Exclude<State, 'pending'>;
  agentId: string | null;
  previousAgentId: string | null;
  decidedBy: string;
}

type State = 'pending' | 'assigned' | 'unassigned' | 'pool';
type Moment = State | 'new';

/** States and transitions of the specification, with the moves that its "claims" and follow-up make. */
const transitions: readonly { from: Moment; by: string; to: State }[] = [
  { from: 'new', by: 'create', to: 'pending' },
  { from: 'new', by: 'listing', to: 'assigned' },
  { from: 'new', by: 'assigned_by', to: 'assigned' },
  { from: 'pending', by: 'rules', to: 'assigned' },
  { from: 'pending', by: 'rules', to: 'unassigned' },
  { from: 'pending', by: 'rules', to: 'pool' },
  { from: 'pending', by: 'update', to: 'pending' },
  { from: 'unassigned', by: 'update', to: 'pending' },
  { from: 'pool', by: 'update', to: 'pending' },
  { from: 'pool', by: 'claim', to: 'assigned' },
  { from: 'assigned', by: 'follow_up', to: 'assigned' },
  { from: 'assigned', by: 'follow_up', to: 'pool' },
];

interface Step {
  by: string;
  to: State;
}

/** What happened to the lead, one transition after the other: each round after the first is an update. */
function stepsOf({ round, history }: LeadRecord): Step[] {
  const isOwnedAtOnce = ['listing', 'assigned_by'].includes(history[0]?.decidedBy ?? '');
  const steps: Step[] = isOwnedAtOnce ? [] : [{ by: 'create', to: 'pending' }];
  for (let each = 1; each <= round; each += 1) {
    if (each > 1) steps.push({ by: 'update', to: 'pending' });
    const rows = history.filter((row) => row.round === each);
    steps.push(...rows.map(({ decidedBy, status }) => ({ by: decidedBy, to: status })));
  }
  return steps;
}

/** In what a lead's history is not a path of the table; empty when it is one. */
export function faultsOf(lead: LeadRecord): string[] {
  const faults: string[] = [];
  let at: Moment = 'new';
  for (const { by, to } of stepsOf(lead)) {
    if (!transitions.some((known) => known.from === at && known.by === by && known.to === to))
      faults.push(`${at} became ${to} by ${by}`);
    at = to;
  }
  if (at !== lead.status) faults.push(`it is ${lead.status}, its history ends ${at}`);
  return [...faults, ...holderFaults(lead), ...numberFaults(lead), ...eventFaults(lead)];
}

function holderFaults({ history, ownerId, isPersonal, status }: LeadRecord): string[] {
  const faults: string[] = [];
  let holder: string | null = null;
  for (const { agentId, previousAgentId } of history) {
    if (previousAgentId !== holder) faults.push(`taken from ${previousAgentId}, held by ${holder}`);
    if (agentId !== null && agentId === holder) faults.push(`${agentId} took it from themselves`);
    holder = agentId;
  }
  if (ownerId !== (status === 'assigned' ? holder : null))
    faults.push('another owner than its history has');
  if (isPersonal && history.length !== 1) faults.push('a Personal lead was moved');
  return faults;
}

/** One outcome for each round and move, the moves of a round counted without a gap. */
function numberFaults({ history, moves, round }: LeadRecord): string[] {
  const rounds = Map.groupBy(history, (row) => row.round);
  const faults = [...rounds].flatMap(([each, rows]) =>
    rows.every(({ move }, index) => move === index)
      ? []
      : [`moves of round ${each} are not 0, 1, 2 …`],
  );
  const last = rounds.get(round)?.at(-1)?.move ?? 0;
  return last === moves ? faults : [...faults, `it counts ${moves} moves, its history ${last}`];
}

/** One lead.created, then one lead.assigned for each time that an agent took it, in that order. */
function eventFaults({ history, events }: LeadRecord): string[] {
  const taken = history.filter(({ status }) => status === 'assigned');
  const wanted = [
    { type: 'lead.created', sequence: 1, agentId: null, previousAgentId: null },
    ...taken.map(({ agentId, previousAgentId }, index) => ({
      ...{ type: 'lead.assigned', sequence: index + 2, agentId, previousAgentId },
    })),
  ];
  return isDeepStrictEqual(events, wanted)
    ? []
    : [`events ${JSON.stringify(events)} where ${JSON.stringify(wanted)} were due`];
}
