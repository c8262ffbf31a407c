import { leadCommands } from '../../cli/lead.ts';
import { rulesCommands } from '../../cli/rules.ts';
import { writeFor } from '../../cli/text.ts';
import { leadsText } from '../../cli/views/lead.ts';
import type { ListedLead } from '../../store/leads/find-leads.ts';
import { newEmail } from '../support/api.ts';
import { activateRules, makeAgent, makePool, makeSource } from '../support/routing.ts';
import { leadActivities } from '../support/worker.ts';
import { startLeadctl } from './leadctl.ts';

const HOUR_MS = 3_600_000;

const { api, leadctl } = await startLeadctl(leadCommands, rulesCommands);
const sara = await makeAgent(api.database, { name: 'Sara H' });
const [website, walkIn] = [
  await makeSource(api.database, 'Website'),
  await makeSource(api.database, 'Walk-in'),
];
const fair = await makeSource(api.database, 'Fair');
const away = await makeAgent(api.database);
await api.database.query(
  `insert into agent_absences values ($1, '2026-01-01', (current_date + 2)::text)`,
  [away.id],
);
const poolId = await makePool(api.database, 'Night Pool');
const from = (source: string) => [[{ field: 'source', op: 'in', values: [source] }]];
await activateRules(api.database, [
  { when: from(website), target: { kind: 'agent', agentId: sara.id } },
  { when: from(walkIn), target: { kind: 'pool', poolId } },
  {
    when: from(fair),
    target: { kind: 'agent', agentId: away.id },
    onExhausted: { kind: 'wait', atMostMinutes: 10_000, then: { kind: 'next' } },
  },
]);

/** A lead that entered its state so many hours ago. */
async function leadOf(source: string | null, hoursAgo: number): Promise<string> {
  const at = new Date(Date.now() - hoursAgo * HOUR_MS);
  api.setNow(at);
  const { id } = await api.create({
    leadEmails: [newEmail()],
    leadFirstName: 'Mona',
    ...(source === null ? {} : { source }),
  });
  await leadActivities(api, () => at).routeLead({ leadId: id });
  return id;
}

async function listed(...options: string[]): Promise<string[]> {
  const { json } = await leadctl('lead', 'list', ...options, '--json');
  return json.map(({ id }: { id: string }) => id);
}

describe('leadctl lead list', () => {
  let pooled: string;
  let old: string;
  let answered: string;
  let fresh: string;
  let nobodys: string;
  let flagged: string;

  beforeAll(async () => {
    old = await leadOf('Website', 5);
    answered = await leadOf('Website', 4);
    pooled = await leadOf('Walk-in', 3);
    nobodys = await leadOf(null, 3);
    flagged = await leadOf('Wensite', 2);
    fresh = await leadOf('Website', 0);
    const path = `/public/leads/${answered}/response-time`;
    await api.call('POST', path, { body: { seconds: 60 } });
  });

  test('lists leads that wait too long for an agent’s response, the longest first', async () => {
    expect(await listed('--waiting', '2h')).toEqual([old, pooled]);
    expect(await listed('--waiting', '4h')).toEqual([old]);
  });

  test('lists pool leads whose workflow completed long ago', async () => {
    expect(await listed('--status', 'pool', '--waiting', '1h')).toEqual([pooled]);
  });

  test('lists unassigned leads only with --status unassigned', async () => {
    expect(await listed('--status', 'unassigned', '--waiting', '1h')).toEqual([nobodys, flagged]);
  });

  test('lists the leads of an agent, with the response or its clock', async () => {
    expect(await listed('--agent', sara.email)).toEqual([old, answered, fresh]);
    const { text } = await leadctl('lead', 'list', '--agent', sara.email);
    expect(text).toMatch(new RegExp(`^${answered.slice(0, 8)} .* responded `, 'm'));
    expect(text).toMatch(new RegExp(`^${fresh.slice(0, 8)} .* in \\d+m `, 'm'));
  });

  test('says in 80 columns too until when a lead waits for an agent', () => {
    const waiting: ListedLead = {
      id: '94dadf21-7d0d-4d4b-8996-fd630c9b1f82',
      status: 'pending',
      since: new Date('2026-11-22T12:42:20Z'),
      holder: null,
      pool: null,
      followUpDueAt: null,
      waitDueAt: new Date('2026-11-23T05:00:00Z'),
      respondedAt: null,
      unresolvedFields: [],
      client: 'demo',
    };
    const now = new Date('2026-11-22T13:00:00Z');
    const text = writeFor({ width: 80, timeZone: 'Asia/Dubai' }, () => leadsText([waiting], now));
    expect(text).toBe(
      [
        'LEAD      STATUS   AGE  OWNER  DEADLINE        TO REVIEW  CLIENT',
        '94dadf21  pending  17m  -      queued, in 16h  -          demo',
      ].join('\n'),
    );
  });

  test('lists leads to review with the names of the fields, and nothing of the customer', async () => {
    const { json, text } = await leadctl('lead', 'list', '--review', '--json');
    expect(json).toMatchObject([{ id: flagged, unresolvedFields: ['source'] }]);
    expect(text).not.toMatch(/Mona|person\.example|Wensite/);
  });

  test('says of a cut list how many there are, with --json on standard error', async () => {
    const words = ['lead', 'list', '--limit', '2'];
    const cut = '2 of 6 leads shown; --limit 6 shows all.\n';
    const { text, note } = await leadctl(...words);
    expect([text.slice(-cut.length), note]).toEqual([cut, '']);
    const asJson = await leadctl(...words, '--json');
    expect([asJson.json.length, asJson.note]).toEqual([2, cut]);
    expect((await leadctl('lead', 'list', '--limit', '6', '--json')).note).toBe('');
  });

  test.each([
    ['--agent', 'x@y.example', 'Agent not found by this e-mail, slug or name'],
    ['--rule', 'Rule 22', 'Rule not found by this name'],
    ['--source', 'Webste', 'Source not found by this name. Near: Website.'],
    ['--client', 'sho', 'Client sho not found. Near: Shop.'],
    ['--client', 'xyz', 'Client xyz not found; see leadctl client list.'],
  ])('refuses %s %s, which is unknown', async (option, value, message) => {
    await expect(leadctl('lead', 'list', option, value)).rejects.toThrow(message);
  });

  test('narrows the list by source, rule, client and time, and turns it round', async () => {
    expect(await listed('--source', 'WALK-IN')).toEqual([pooled]);
    expect(await listed('--source', 'website', '--waiting', '2h')).toEqual([old]);
    expect(await listed('--rule', 'rule 2')).toEqual([pooled]);
    expect(await listed('--client', 'SHOP', '--rule', 'Rule 2')).toEqual([pooled]);
    expect(await listed('--status', 'assigned', '--since', '270m')).toEqual([answered, fresh]);
    expect(await listed('--agent', sara.email, '--order', 'newest')).toEqual([
      fresh,
      answered,
      old,
    ]);
    const { clientId } = await api.addClient();
    expect(await listed('--client', clientId)).toEqual([]);
  });

  test('lists a lead that waits for an agent since it began to, however often it is updated', async () => {
    const waiting = await leadOf('Fair', 4.5);
    api.setNow(new Date(Date.now() - HOUR_MS));
    await api.call('PATCH', `/public/leads/${waiting}`, { body: { utmTerm: 'again' } });
    expect(await listed('--waiting', '4h')).toEqual([old, waiting]);
  });
});

test('rules that are switched off say how many leads wait by them', async () => {
  await leadOf('Fair', 0);
  const { json: pending } = await leadctl('lead', 'list', '--status', 'pending', '--json');
  const waiting = pending.filter(({ waitDueAt }: { waitDueAt: string | null }) => waitDueAt).length;
  expect(waiting).toBeGreaterThan(0);
  const [active] = (await leadctl('rules', 'versions', '--json')).json;
  const without = await activateRules(api.database, []);
  await leadctl('rules', 'activate', String(active.version), '--yes');
  const losses = [
    { kind: 'missing', rule: 'Rule 1' },
    { kind: 'missing', rule: 'Rule 2' },
    { kind: 'missing', rule: 'Rule 3', waiting },
  ];
  expect((await leadctl('rules', 'diff', String(without), '--json')).json.losses).toEqual(losses);
  const said = `Rule 'Rule 3' is not in the new rules and is switched off. ${waiting} lead`;
  expect((await leadctl('rules', 'diff', String(without))).text).toContain(said);
  await expect(leadctl('rules', 'activate', String(without))).rejects.toThrow(said);
});
