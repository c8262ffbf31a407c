import { historyIssues, type AssignmentRecord, type LeadRecord } from './transitions.ts';

type Row = [
  round: number,
  move: number,
  by: AssignmentRecord['decidedBy'],
  status: AssignmentRecord['status'],
  agent?: string,
];

const EVENT_OF = {
  assigned: 'lead.assigned',
  pool: 'lead.pooled',
  unassigned: 'lead.unassigned',
} as const;
const response = { type: 'lead.responded', agentId: null, previousAgentId: null };

const TO_A: Row = [1, 0, 'rules', 'assigned', 'a'];
const POOLED: Row = [1, 0, 'rules', 'pool'];
const UNASSIGNED: Row = [1, 0, 'rules', 'unassigned'];

function lead(rows: readonly Row[], over: Partial<LeadRecord> = {}): LeadRecord {
  let holder: string | null = null;
  let lastHolder: string | null = null;
  const history = rows.map(([round, move, decidedBy, status, agent = null]) => {
    const poolId = status === 'pool' ? 'a pool' : null;
    const agents = { agentId: agent, previousAgentId: lastHolder };
    const row = { round, move, decidedBy, status, poolId, ...agents };
    holder = agent;
    lastHolder = agent ?? lastHolder;
    return row;
  });
  const last = history.at(-1);
  return {
    status: last?.status ?? 'pending',
    round: last?.round ?? 1,
    moves: last?.move ?? 0,
    ownerId: holder,
    isPersonal: false,
    history,
    events: [
      { type: 'lead.created', sequence: 1, agentId: null, previousAgentId: null },
      ...history.map(({ status, ...agents }, index) => ({
        type: EVENT_OF[status],
        sequence: index + 2,
        agentId: agents.agentId,
        previousAgentId: status === 'assigned' ? agents.previousAgentId : null,
      })),
    ],
    ...over,
  };
}

test.each<[string, Row[], Partial<LeadRecord>?]>([
  ['unassigned does not take claimed', [UNASSIGNED, [1, 1, 'claim', 'assigned', 'a']]],
  ['assigned does not take routed_to_agent', [TO_A, TO_A]],
  ['1.2 in its history where 1.1 is due', [POOLED, [1, 2, 'claim', 'assigned', 'a']]],
  ['a took it from themselves', [TO_A, [1, 1, 'follow_up', 'assigned', 'a']]],
  ['a Personal lead was moved', [TO_A, [1, 1, 'follow_up', 'pool']], { isPersonal: true }],
  ['owner "b", due: "a"', [TO_A], { ownerId: 'b' }],
  ['status "pool", due: "assigned"', [TO_A], { status: 'pool', ownerId: null }],
  ['events []', [UNASSIGNED], { events: [] }],
  ['"sequence":2', [], { events: [{ ...response, sequence: 2 }] }],
])('what is no path of the table is found: %s', (issue, rows, over = {}) => {
  expect(historyIssues(lead(rows, over)).join('\n')).toContain(issue);
});
