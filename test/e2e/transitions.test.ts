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

/** A lead with the events that its history asks for. */
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

describe('a path of the table', () => {
  test.each<[string, LeadRecord]>([
    ['pending', lead([])],
    [
      'assigned, moved on and left in a pool',
      lead([
        [1, 0, 'rules', 'assigned', 'a'],
        [1, 1, 'follow_up', 'assigned', 'b'],
        [1, 2, 'follow_up', 'pool'],
      ]),
    ],
    [
      'unassigned, sent back, pooled, claimed',
      lead([
        [1, 0, 'rules', 'unassigned'],
        [3, 0, 'rules', 'pool'],
        [3, 1, 'claim', 'assigned', 'a'],
      ]),
    ],
    ['Personal', lead([[1, 0, 'assigned_by', 'assigned', 'a']], { isPersonal: true })],
    [
      'handed over by operators',
      lead([
        [1, 0, 'rules', 'assigned', 'a'],
        [2, 0, 'operator', 'assigned', 'b'],
        [2, 1, 'follow_up', 'assigned', 'c'],
        [3, 0, 'operator', 'pool'],
        [5, 0, 'operator', 'unassigned'],
      ]),
    ],
    ['waiting again', lead([[1, 0, 'rules', 'pool']], { status: 'pending', round: 2 })],
    [
      'responded to before it was routed',
      lead([], {
        events: [
          { type: 'lead.created', sequence: 1, agentId: null, previousAgentId: null },
          { ...response, sequence: 2 },
        ],
      }),
    ],
  ])('%s', (_what, record) => {
    expect(historyIssues(record)).toEqual([]);
  });
});

describe('the check can fail', () => {
  test.each<[string, LeadRecord]>([
    [
      'assigned does not take routed_to_agent',
      lead([
        [1, 0, 'rules', 'assigned', 'a'],
        [2, 0, 'rules', 'assigned', 'b'],
      ]),
    ],
    [
      'unassigned does not take claimed',
      lead([
        [1, 0, 'rules', 'unassigned'],
        [1, 1, 'claim', 'assigned', 'a'],
      ]),
    ],
    [
      'assigned does not take routed_to_agent',
      lead([
        [1, 0, 'rules', 'assigned', 'a'],
        [1, 0, 'rules', 'assigned', 'b'],
      ]),
    ],
    [
      '1.2 in its history where 1.1 is due',
      lead([
        [1, 0, 'rules', 'pool'],
        [1, 2, 'claim', 'assigned', 'a'],
      ]),
    ],
    [
      'a took it from themselves',
      lead([
        [1, 0, 'rules', 'assigned', 'a'],
        [1, 1, 'follow_up', 'assigned', 'a'],
      ]),
    ],
    [
      'a Personal lead was moved',
      lead(
        [
          [1, 0, 'assigned_by', 'assigned', 'a'],
          [1, 1, 'follow_up', 'assigned', 'b'],
        ],
        { isPersonal: true },
      ),
    ],
    ['owner "b", due: "a"', lead([[1, 0, 'rules', 'assigned', 'a']], { ownerId: 'b' })],
    [
      'status "pool", due: "assigned"',
      lead([[1, 0, 'rules', 'assigned', 'a']], { status: 'pool', ownerId: null }),
    ],
    ['events []', lead([[1, 0, 'rules', 'unassigned']], { events: [] })],
    ['"sequence":2', lead([], { events: [{ ...response, sequence: 2 }] })],
  ])('%s', (issue, record) => {
    expect(historyIssues(record).join('\n')).toContain(issue);
  });
});
