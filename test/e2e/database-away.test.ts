import { waitUntil } from '../../dev/wait-until.ts';
import { newPhone, startTestApi } from '../support/api.ts';
import { asAdmin, createTestDatabase } from '../support/database.ts';
import { proxied } from '../support/switchable-proxy.ts';

const own = await createTestDatabase();
const { url, proxy } = await proxied(own.url);
const api = await startTestApi({ databaseUrl: url, queryTimeoutMs: 5000 });
afterAll(async () => {
  proxy.turn('open');
  await api.stop();
  await proxy.stop();
  await own.drop();
});

const create = () => api.post({ leadPhones: [newPhone()] });
const token = () =>
  api.call('POST', '/oauth2/token', {
    token: null,
    body: { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' },
  });

/** A slow statement is given up as one that will never end is; the next may be quicker. */
function back(): Promise<void> {
  const asked = async () => expect((await create()).status).toBe(201);
  return waitUntil(asked, { what: 'A lead' });
}

/** Answers come at all: a call that waited for the database to come back would never end. */
async function expectAway(): Promise<void> {
  const answers = await Promise.all([create(), create(), token()]);
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(JSON.stringify(answer.body)).not.toMatch(/connect|postgres|sql|refused/i);
  }
}

describe('while the database is away', () => {
  test('a disk of Postgres that is full refuses with 503; afterwards all is well', async () => {
    await asAdmin(
      own.url,
      `create function no_space() returns trigger language plpgsql
       as $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
      'create trigger no_space before insert on submissions execute function no_space()',
    );
    expect(await create()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await asAdmin(own.url, 'drop trigger no_space on submissions');
    await back();
  });

  test('answers are 503 with Retry-After, at once; afterwards all is well', async () => {
    await back();
    proxy.turn('refusing');
    await expectAway();
    await expectAway();
    proxy.turn('open');
    await back();
  });

  test('a database that no longer answers hangs nobody', async () => {
    await Promise.all([create(), create(), create()]);
    proxy.turn('hanging');
    await expectAway();
    proxy.turn('open');
    await back();
  });
});
