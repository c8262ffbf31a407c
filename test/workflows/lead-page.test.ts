import { describe, expect, test } from '@jest/globals';
import { describeStanding } from '../../workflows/lead-page.ts';
import type { LeadStanding } from '../../workflows/messages.ts';

const AGENT = '3c9e6a77-0d3b-4c58-bb0a-7a5c1e9f4d55';
const DUE = Date.parse('2026-03-02T08:15:00.000Z');
const WINDOW_ENDS = Date.parse('2026-03-03T08:00:00.000Z');

function standing(over: Partial<LeadStanding> = {}): LeadStanding {
  return {
    status: 'assigned',
    round: 1,
    moves: 0,
    agentId: AGENT,
    poolName: null,
    isPersonal: false,
    followUpDueAtMs: DUE,
    mergeWindowEndsAtMs: WINDOW_ENDS,
    isResponded: false,
    source: null,
    funnel: 'Main Sales',
    oauthClientId: 'shop',
    needsReview: false,
    rulesetVersion: 1,
    story: ["Rule 'Sales' chose it."],
    deliveries: [],
    ...over,
  };
}

describe('the page of a lead', () => {
  test('tells holder, reason and what is waited for, each list behind an empty line', () => {
    expect(describeStanding(standing())).toBe(
      [
        `**Held by agent ${AGENT}** (round 1)`,
        `Why:`,
        `- Rule 'Sales' chose it.`,
        'Waiting for:',
        '- a response of the agent, until 2026-03-02 08:15:00 UTC\n- the end of the merge window, 2026-03-03 08:00:00 UTC',
        '\u200b',
      ].join('\n\n'),
    );
  });

  test.each<[string, Partial<LeadStanding>, string[]]>([
    [
      'a pool lead waits for a claim, its window over or not',
      { status: 'pool', agentId: null, poolName: 'Weekend', followUpDueAtMs: null },
      ["In the pool 'Weekend'", '- an agent to claim it', '- the end of the merge window'],
    ],
    [
      'an unassigned lead waits for new details',
      { status: 'unassigned', agentId: null, followUpDueAtMs: null, mergeWindowEndsAtMs: null },
      ['Unassigned: nobody took it', '- new details, which route it again'],
    ],
    [
      'an answered lead waits for nothing once its window is closed',
      { followUpDueAtMs: null, mergeWindowEndsAtMs: null, isResponded: true },
      ['The agent has responded.', 'Nothing is waited for.'],
    ],
    [
      'a lead whose clock ran out says that nobody answered',
      { followUpDueAtMs: null, mergeWindowEndsAtMs: null, moves: 2 },
      ['(round 1, move 2)', 'No response is recorded, and no response clock runs.'],
    ],
    [
      'a Personal lead is held for good',
      { isPersonal: true, followUpDueAtMs: null },
      ['for good (Personal distribution)'],
    ],
    ['a flagged lead asks for review', { needsReview: true }, ['the lead needs review']],
  ])('%s', (_what, over, parts) => {
    const page = describeStanding(standing(over));
    for (const part of parts) expect(page).toContain(part);
  });
});
