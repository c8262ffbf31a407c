import { describeLead, searchAttributesFor } from '../../workflows/lead-page.ts';
import type { DeliverySnapshot, LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';

const AGENT = '3c9e6a77-0d3b-4c58-bb0a-7a5c1e9f4d55';
const DUE = Date.parse('2026-03-02T08:15:00.000Z');
const WINDOW_ENDS = Date.parse('2026-03-03T08:00:00.000Z');

function snapshot(over: Partial<LeadSnapshot> = {}): LeadSnapshot {
  return {
    status: 'assigned',
    round: 1,
    moves: 0,
    agentId: AGENT,
    agentSlug: 'sara-haddad',
    poolName: null,
    isPersonal: false,
    followUpDueAtMs: DUE,
    mergeWindowEndsAtMs: WINDOW_ENDS,
    isResponded: false,
    source: null,
    funnel: 'Main Sales',
    oauthClientId: 'shop',
    clientLabel: 'shop',
    needsReview: false,
    rulesetVersion: 1,
    reasons: ["Rule 'Sales' chose it."],
    deliveries: [],
    ...over,
  };
}

const NO_AGENT = { agentId: null, agentSlug: null, followUpDueAtMs: null };

describe('the page of a lead', () => {
  test('shows holder, reasons and what is waited for, each list behind an empty line', () => {
    expect(describeLead(snapshot(), [])).toBe(
      [
        `**Held by agent sara-haddad** (round 1)`,
        `Why:`,
        `- Rule 'Sales' chose it.`,
        'Waiting for:',
        '- a response of the agent, until 2026-03-02 08:15:00 UTC\n- the end of the merge window, 2026-03-03 08:00:00 UTC',
        '\u200b',
      ].join('\n\n'),
    );
  });

  test.each<[string, Partial<LeadSnapshot>, string[]]>([
    [
      'a pool lead waits for a claim, its window over or not',
      { ...NO_AGENT, status: 'pool', poolName: 'Weekend' },
      ["In the pool 'Weekend'", '- an agent to claim it', '- the end of the merge window'],
    ],
    [
      'an unassigned lead waits for new details',
      { ...NO_AGENT, status: 'unassigned', mergeWindowEndsAtMs: null },
      ['Unassigned: nobody took it', '- new details, which route it again'],
    ],
    [
      'an answered lead waits for nothing once its window is closed',
      { followUpDueAtMs: null, mergeWindowEndsAtMs: null, isResponded: true },
      ['The agent has responded.', 'Nothing is waited for.'],
    ],
    [
      'a lead that was handed over says that another agent answered',
      { followUpDueAtMs: null, isResponded: true, isRespondedBefore: true },
      ['An earlier agent has responded, and no response clock runs.'],
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
  ])('%s', (_what, over, lines) => {
    const page = describeLead(snapshot(over), []);
    for (const line of lines) expect(page).toContain(line);
  });
});

test('the search attributes are those of the snapshot', () => {
  const values = searchAttributesFor(snapshot(), []).map(({ key, value }) => [key.name, value]);
  expect(Object.fromEntries(values)).toMatchObject({
    LeadStatus: 'assigned',
    Agent: 'sara-haddad',
    AgentId: AGENT,
    NeedsReview: false,
    OAuthClientId: 'shop',
  });
});

describe('the webhooks on the page of a lead', () => {
  const delivery: DeliverySnapshot = {
    eventId: 'evt_1',
    endpointId: 'e-1',
    eventType: 'lead.assigned',
    status: 'pending',
    attempts: 0,
    generation: 0,
    failureReason: null,
  };
  const state = (...deliveries: DeliverySnapshot[]) =>
    searchAttributesFor(snapshot(), deliveries).find(({ key }) => key.name === 'WebhookState')
      ?.value;

  test('that wait for their first attempt are not listed: their activity is there', () => {
    expect(describeLead(snapshot(), [delivery])).not.toContain('Webhooks');
    expect(state(delivery)).toBeNull();
  });

  test('that are retried or failed are listed with the command that sends them', () => {
    const retried = { ...delivery, attempts: 1 };
    const failed = {
      ...delivery,
      eventId: 'evt_2',
      status: 'failed',
      attempts: 8,
      failureReason: 'It answered 410.',
    } as const;
    const page = describeLead(snapshot(), [retried, failed]);
    for (const text of [
      '- lead.assigned to shop is retried',
      '`leadctl webhook resend evt_1/e-1`',
      '- lead.assigned to shop failed for good. It answered 410. Send it again: ',
      '`leadctl webhook resend evt_2/e-1`',
    ])
      expect(page).toContain(text);
    expect([state(retried), state(failed), state(retried, failed)]).toEqual([
      'retrying',
      'failed',
      'failed',
    ]);
  });
});
