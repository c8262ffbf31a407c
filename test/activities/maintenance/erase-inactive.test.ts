import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createHousekeepingActivities } from '../../../activities/maintenance/housekeeping.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { parseConfig } from '../../../platform/config.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { newPhone, startIntake } from '../../support/api.ts';
import { testActivityContext } from '../../support/worker.ts';

const logger = new DefaultLogger('ERROR', () => undefined);
const newEnvironment = () => new MockActivityEnvironment({}, { logger });
const DAY_MS = 86_400_000;
const DAYS = 90;

const api = await startIntake();
afterAll(() => api.stop());

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

async function runMaintenance() {
  const { config, database } = api;
  const context = testActivityContext(database, { ...config, retainPersonalMs: DAYS * DAY_MS });
  const { purgeExpiredRows, eraseInactivePersons } = createHousekeepingActivities(context);
  const purged = await newEnvironment().run(purgeExpiredRows);
  const { inactiveSince } = purged as { inactiveSince: string };
  return newEnvironment().run(eraseInactivePersons, { inactiveSince });
}

async function createOld(days: number, body: Record<string, unknown> = {}) {
  api.setNow(ago(days));
  const lead = await api.create({ leadFirstName: 'Sara', ...body });
  api.setNow(null);
  return lead;
}

async function isErased({ id }: { id: string }): Promise<boolean> {
  const { erased_at, lead_first_name } = await api.lead(id);
  expect(lead_first_name === null).toBe(erased_at !== null);
  return erased_at !== null;
}

const proofs = () =>
  api.database.query<{ author: string; leads: number; hashes: Buffer[]; isFinished: boolean }>(
    `select author, leads, contact_point_hashes as hashes, finished_at is not null as "isFinished"
     from erasures where reason = 'retention' order by started_at`,
  );

describe('RETAIN_PERSONAL_DAYS', () => {
  test('erases nobody unless it is set, and is a number of days', async () => {
    const { config, database } = api;
    const unset = createHousekeepingActivities(testActivityContext(database, config));
    expect(await newEnvironment().run(unset.purgeExpiredRows)).not.toHaveProperty('inactiveSince');
    const { url } = config.database;
    const given = (days: string) =>
      parseConfig({ DATABASE_URL: url, SECRETS_KEY: '11'.repeat(32), RETAIN_PERSONAL_DAYS: days });
    expect(given('730').retainPersonalMs).toBe(730 * DAY_MS);
    expect(() => given('0')).toThrow('RETAIN_PERSONAL_DAYS');
  });

  test('erases leads without activity for longer, each with its contact when that has no other', async () => {
    const old = await createOld(DAYS + 1);
    const [phone, asked, merged] = [newPhone(), newPhone(), newPhone()];
    const earlier = await createOld(DAYS + 10, { leadPhones: [phone] });
    const recent = await createOld(1, { leadPhones: [phone] });
    const answered = await createOld(DAYS + 2, { leadPhones: [asked] });
    await api.call('POST', `/public/leads/${answered.id}/response-time`, { body: { seconds: 5 } });
    const again = await createOld(DAYS + 2, { leadPhones: [merged] });
    await receiveAgain(again.id);
    expect(await runMaintenance()).toEqual({ erasedLeads: 2 });
    expect(await Promise.all([old, earlier].map(isErased))).toEqual([true, true]);
    expect(await Promise.all([recent, answered, again].map(isErased))).not.toContain(true);
    const points = await api.database.query<{ value: string }>(`select value from contact_points`);
    expect(points.map(({ value }) => value).toSorted()).toEqual([phone, asked, merged].toSorted());
    const [proof] = await proofs();
    expect(proof).toEqual({
      author: 'RETAIN_PERSONAL_DAYS',
      leads: 2,
      hashes: [],
      isFinished: true,
    });
  });

  /** As a merged enquiry that brings nothing new: the lead's own row stays as it was. */
  async function receiveAgain(leadId: string): Promise<void> {
    await api.database.query(
      `insert into submissions (id, lead_id, client_id, kind, received_at, body)
       select gen_random_uuid(), lead_id, client_id, 'merge', now(), body from submissions where lead_id = $1`,
      [leadId],
    );
  }

  test('leaves a lead that an update reaches while it waits for it', async () => {
    const lead = await createOld(DAYS + 6);
    const { updating, erasing } = await api.database.transaction(async (sql) => {
      await sql.query('select from leads where id = $1 for update', [lead.id]);
      const updating = api.update(lead.id, { initialInquiry: 'Still looking.' });
      await waitForLockWaits(api.database, 1);
      const erasing = runMaintenance();
      await waitForLockWaits(api.database, 2);
      return { updating, erasing };
    });
    expect(await updating).toMatchObject({ updated: true });
    expect(await erasing).toEqual({ erasedLeads: 0 });
    expect(await api.lead(lead.id)).toMatchObject({
      initial_inquiry: 'Still looking.',
      erased_at: null,
    });
    await api.database.query(`delete from erasures where leads = 0`);
  });

  test('goes on after the end of a worker, under the same proof', async () => {
    const leads = [await createOld(DAYS + 5), await createOld(DAYS + 4), await createOld(DAYS + 3)];
    await api.database.transaction(async (sql) => {
      await sql.query('select from leads where id = $1 for update', [leads[1]?.id]);
      const [row] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
      const others = async () =>
        expect(await Promise.all(leads.map(isErased))).toEqual([true, false, true]);
      const killWaiting = async () => {
        await waitUntil(others, { what: 'The other leads' });
        await waitUntil(() => endBlockedBy(row?.pid), { what: 'A waiting transaction' });
      };
      await Promise.all([expect(runMaintenance()).rejects.toThrow(), killWaiting()]);
    });
    expect(await Promise.all(leads.map(isErased))).toEqual([true, false, true]);
    expect(await proofs()).toMatchObject([{ isFinished: true }, { leads: 2, isFinished: false }]);
    expect(await runMaintenance()).toEqual({ erasedLeads: 3 });
    expect(await proofs()).toMatchObject([{}, { leads: 3, isFinished: true }]);
    expect(await runMaintenance()).toEqual({ erasedLeads: 0 });
    expect(await proofs()).toHaveLength(2);
  });

  async function endBlockedBy(pid: number | undefined): Promise<void> {
    const ended = await api.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where $1::int = any (pg_blocking_pids(pid))`,
      [pid],
    );
    expect(ended).toHaveLength(1);
  }
});
