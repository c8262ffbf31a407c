import { randomUUID } from 'node:crypto';
import { dncrCommands } from '../../cli/dncr.ts';
import { hashNumber } from '../../domain/dncr/number.ts';
import { failCheck, openCheck } from '../../store/dncr/checks.ts';
import { startTestApi } from '../support/api.ts';
import { giveAnswer } from '../api/dncr/cached-answers.ts';
import { leadctlFor } from './leadctl.ts';

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

const api = await startTestApi({
  variables: {
    DNCR_CHECK_URL: 'http://127.0.0.1:1/',
    DNCR_TOKEN_URL: 'http://127.0.0.1:1/',
    DNCR_CLIENT_ID: 'x',
    DNCR_CLIENT_SECRET: 'x',
  },
});
const leadctl = leadctlFor([dncrCommands], { DATABASE_URL: api.config.database.url });
await giveAnswer(api.database, { phone: '0501000001', checkedAt: ago(10) });
await giveAnswer(api.database, { phone: '0501000002', checkedAt: ago(100) });
await giveAnswer(api.database, { phone: '0501000003', checkedAt: ago(181) });
await api.call('POST', '/public/dncr/check', { body: { phones: ['0501000001', 'x'] } });
afterAll(() => api.stop());

describe('leadctl dncr show', () => {
  test('shows the cached answer for a number in any form, and who asked about it', async () => {
    const { json } = await leadctl('dncr', 'show', '+971 50 1000001', '--json');
    expect(json.answer).toMatchObject({ status: 'not_registered', isFresh: true });
    expect(json.checks).toEqual([
      expect.objectContaining({ client: 'Shop', outcome: 'answered', fresh: false }),
    ]);
    expect((await leadctl('dncr', 'show', '0501000001')).text).toMatch(/status\s+not_registered/);
  });

  test('marks an expired answer, and reports a number that is not cached', async () => {
    expect((await leadctl('dncr', 'show', '0501000003')).text).toContain('(past its time)');
    const { text } = await leadctl('dncr', 'show', '0509999999');
    expect(text).toContain('Not in the cache.');
    expect(text).toContain('No check asked about it.');
    await expect(leadctl('dncr', 'show', '1234')).rejects.toThrow('Not a UAE mobile number.');
  });

  test('shows a failed check as failed, not as answered from the cache', async () => {
    const phone = '0501000009';
    await leaveFailedCheck(phone);
    expect((await leadctl('dncr', 'show', phone)).text).toMatch(/failed +no +none /);
    await leaveFailedCheck(phone);
    const cut = await leadctl('dncr', 'show', phone, '--limit', '1', '--json');
    expect(cut.json.checks).toHaveLength(1);
    expect(cut.note).toBe('1 of 2 checks shown; --limit 2 shows all.\n');
  });
});

/** The state of a check that the registry did not answer. */
async function leaveFailedCheck(phone: string): Promise<void> {
  const [id, now] = [randomUUID(), ago(2)];
  await openCheck(api.database, {
    id,
    clientId: api.client.id,
    now,
    fresh: false,
    phones: [phone],
    numberHashes: [hashNumber(phone, api.config.secretsKey)],
    invalid: 0,
    freshSince: ago(180),
    leaseUntil: now,
  });
  await failCheck(api.database, id, now);
}

describe('leadctl dncr stats', () => {
  test('counts the cache and the checks of the last day', async () => {
    const { json } = await leadctl('dncr', 'stats', '--json');
    expect(json.cache).toMatchObject({ fresh: 2, expired: 1 });
    expect(json.checks).toMatchObject({ answered: 1, fromCache: 1, notRegistered: 1, invalid: 1 });
    expect((await leadctl('dncr', 'stats')).text).toMatch(/cached answers past their time.*1/);
  });
});

describe('leadctl dncr purge', () => {
  test('removes expired answers, then those older than the given age; records of checks stay', async () => {
    const removed = async (...words: string[]) =>
      (await leadctl('dncr', 'purge', '--json', ...words)).json.answers;
    expect([await removed(), await removed(), await removed('--older-than', '90d')]).toEqual([
      1, 0, 1,
    ]);
    const left = await api.database.query('select phone from dncr_answers');
    expect(left).toEqual([{ phone: '0501000001' }]);
    expect((await leadctl('dncr', 'show', '0501000001', '--json')).json.checks).toHaveLength(1);
    await expect(leadctl('dncr', 'purge', '--older-than', 'soon')).rejects.toThrow(
      /Expected an age/,
    );
  });
});
