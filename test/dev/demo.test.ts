import { fileURLToPath } from 'node:url';
import { importCommand } from '../../cli/import.ts';
import { formatResults, readEnquiries } from '../../dev/demo.ts';
import { readContactPoints } from '../../domain/leads/contact-points.ts';
import { createPayload } from '../../domain/leads/payload-schema.ts';
import { startLeadctl } from '../cli/leadctl.ts';
import { leadActivities } from '../support/worker.ts';

const enquiries = await readEnquiries();
const { api, leadctl } = await startLeadctl(importCommand);
await leadctl('import', fileURLToPath(new URL('../../dev/demo/demo.json', import.meta.url)));

const valueOf = (text: string) => readContactPoints(text)[0]?.value ?? text;

test('the forty enquiries are valid bodies', () => {
  expect(enquiries).toHaveLength(40);
  for (const { body } of enquiries) expect(createPayload.safeParse(body).error).toBeUndefined();
});

test('they name nobody real: invented phones, mailboxes of example domains', () => {
  const phones = enquiries.flatMap(({ body }) => body.leadPhones ?? []);
  const emails = enquiries.flatMap(({ body }) => body.leadEmails ?? []);
  for (const phone of phones) expect(valueOf(phone)).toMatch(/^\+97150000\d{4}$/);
  for (const email of emails) expect(email).toMatch(/@([\w-]+\.)*example(\.com)?$/i);
});

describe('on the demo data they become', () => {
  const { routeLead } = leadActivities(api);
  const results = new Map<string, Awaited<ReturnType<typeof resultOf>>>();

  async function resultOf(body: object) {
    const { body: lead } = await api.call('POST', '/public/leads', { body });
    await routeLead({ leadId: lead.id });
    const { body: assignment } = await api.call('GET', `/public/leads/${lead.id}/assignment`);
    return { lead, status: assignment.status as string, owner: assignment.agent?.name ?? null };
  }

  beforeAll(async () => {
    for (const { shows, body } of enquiries) results.set(shows, await resultOf(body));
  });

  const showing = (wanted: (result: Awaited<ReturnType<typeof resultOf>>) => boolean) =>
    [...results].filter(([, result]) => wanted(result)).map(([shows]) => shows);

  test('merged, by phone and by email', () => {
    expect(showing(({ lead }) => lead.matchedOn === 'phone')).toEqual([
      'merge by phone, written otherwise',
      'merge that adds an email',
      'merge from a chat',
      'same person: repeat after a day',
    ]);
    expect(showing(({ lead }) => lead.matchedOn === 'email')).toEqual([
      'merge by email, in capitals',
    ]);
  });

  test('enquiries of agents', () => {
    expect(showing(({ lead }) => lead.isAgentEnquiry)).toEqual([
      'agent enquiry, known email',
      'agent enquiry, known phone',
      'agent enquiry, rival domain',
    ]);
  });

  test('left in a pool, unassigned, and waiting', () => {
    expect(showing(({ status }) => status === 'pool')).toEqual([
      'live chat to a pool',
      'direct message to a pool',
    ]);
    expect(showing(({ status }) => status === 'pending')).toEqual(
      enquiries.filter(({ waits }) => waits).map(({ shows }) => shows),
    );
    expect(showing(({ status }) => status === 'unassigned')).toContain('no rule matches');
  });

  test('to be reviewed', () => {
    expect(showing(({ lead }) => lead.needsIntakeReview)).toEqual([
      'listing number of two listings',
      'quiz answer that cannot be read',
      'lookups that match nothing',
    ]);
  });

  test('given to the agent of the listing, and to the named one', () => {
    expect(results.get('portal, agent of the listing')?.owner).toBe('Omar Khalil');
    expect(results.get('personal, agent named')?.owner).toBe('Fatima Rahman');
  });

  test('in Arabic, from quizzes and ad platforms, matched to the lists', () => {
    const { lead } = results.get('Arabic, area in Arabic') ?? {};
    expect(lead.areaOfInterest).toMatchObject({ name: 'Dubai Marina' });
    expect(results.get('quiz in Arabic')?.lead).toMatchObject({ budgetMax: expect.anything() });
    expect(results.get('ad platform')?.lead.adPlatform).not.toBeNull();
    expect(results.get('ad platform, id of another lead')?.lead.adPlatform).toBeNull();
  });
});

test('the table of results has a row for each, with failures', () => {
  const [enquiry = { shows: '', body: {} }] = enquiries;
  const text = formatResults([
    { enquiry, lead: { id: '94dadf21-7d0d', merged: true, matchedOn: 'phone' } as never },
    { enquiry, lead: null, failure: 'The service is unavailable.' },
  ]);
  expect(text.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ENQUIRY', 'RESULT', 'STATUS', 'OWNER', 'LEAD'],
    [enquiry.shows, 'merged by phone', '-', '-', '94dadf21'],
    [enquiry.shows, 'failed: The service is unavailable.', '-', '-', '-'],
  ]);
});
