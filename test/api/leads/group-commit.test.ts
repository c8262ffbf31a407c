import { once } from 'node:events';
import http from 'node:http';
import { createGroupCommit } from '../../../api/leads/create-lead.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import type { Payload } from '../../../domain/leads/payload-schema.ts';
import type { Database } from '../../../store/db/database.ts';
import { loadReference } from '../../../store/catalogue/reference.ts';
import { asAdmin, createTestDatabase } from '../../support/database.ts';
import { newEmail, newPhone, startIntake, type TestClient } from '../../support/api.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { proxied } from '../../support/switchable-proxy.ts';
import { newCreate } from './new-create.ts';

const LINGER_LOCK = 4711;

/** A lead of that name cannot be written; a submission with that word is not committed while somebody holds the lock. */
const PLANTED = [
  `create function refuse() returns trigger language plpgsql as $$ begin
     if new.lead_first_name = 'refused' then raise exception 'planted' using errcode = '22000'; end if;
     return new; end $$`,
  `create trigger refuse before insert on leads for each row execute function refuse()`,
  `create function linger() returns trigger language plpgsql as $$ begin
     perform pg_advisory_xact_lock_shared(${LINGER_LOCK}); return null; end $$`,
  `create constraint trigger linger after insert on submissions deferrable initially deferred
   for each row when (new.body::text like '%lingers%') execute function linger()`,
];

const shared = await createTestDatabase();
const { url: proxiedUrl, proxy } = await proxied(shared.url);
const other = await startIntake({ databaseUrl: shared.url });
const api = await startIntake({ databaseUrl: proxiedUrl });
await asAdmin(shared.url, ...PLANTED);
afterAll(async () => {
  await api.stop();
  await other.stop();
  await proxy.stop();
  await shared.drop();
});

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_none, index) => make(index));
const sendAll = (bodies: readonly object[]) => Promise.all(bodies.map((body) => api.post(body)));
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Waits for a commit that waits for the lock; returns its backend. */
const lingering = () =>
  waitUntil(
    async () => {
      const [found] = await other.database.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        [LINGER_LOCK],
      );
      if (!found) throw new Error('no commit is under way');
      return found.pid;
    },
    { what: 'The commit', everyMs: 10 },
  );

async function submissionsOf(phones: readonly string[]): Promise<Map<string, number>> {
  const rows = await other.database.query<{ leadId: string; count: number }>(
    `select lead_id as "leadId", count(*) as count from submissions
     where lead_id in (select lead_id from lead_contact_points where value = any ($1)) group by 1`,
    [phones],
  );
  return new Map(rows.map(({ leadId, count }) => [leadId, count]));
}

describe('Creates that arrive together', () => {
  test('share transactions, and each has the lead of its own enquiry', async () => {
    let statements = 0;
    const stop = api.database.onStatement(() => (statements += 1));
    const bodies = many(48, (index) => ({ leadPhones: [newPhone()], leadFirstName: `P${index}` }));
    const answers = await sendAll(bodies);
    stop();
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
    expect(answers.map(({ body }) => body.leadFirstName)).toEqual(
      bodies.map(({ leadFirstName }) => leadFirstName),
    );
    expect(answers.map(({ body }) => body.leadPhones)).toEqual(
      bodies.map(({ leadPhones }) => leadPhones),
    );
    // One at a time takes four: the token, the locks, the facts and the insert.
    expect(statements).toBeLessThan(2 * bodies.length);
  });

  test('keep their own client', async () => {
    const clients = [api.client, await api.addClient({ name: 'Second' })];
    const answers = await Promise.all(
      many(20, (index) => api.post({ leadPhones: [newPhone()] }, { client: clients[index % 2] })),
    );
    const [own] = await other.database.query<{ count: number }>(
      `select count(*) as count from leads where client_id = $1 and id = any ($2::uuid[])`,
      [clients[1]?.id, answers.map(({ body }) => body.id)],
    );
    expect(own?.count).toBe(10);
  });

  test('bring quizzes, campaigns, listings and blocks, new ones and known ones', async () => {
    const bodies = many(24, (index) => ({
      leadPhones: [newPhone()],
      referenceNo: 'AG-S-1001',
      quiz: { quizKey: `g${index % 3}`, answers: [{ questionKey: 'rooms', value: '2' }] },
      adPlatform: { adPlatformLeadId: newPhone(), adPlatformCampaignId: `c${index % 4}` },
    }));
    const answers = await sendAll(bodies);
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
    const campaigns = await other.database.query(
      `select distinct advertising_campaign_id from leads where id = any ($1::uuid[])`,
      [answers.map(({ body }) => body.id)],
    );
    expect(campaigns).toHaveLength(4);
    const questions = await other.database.query(
      `select from quiz_questions where quiz_key in ('g0', 'g1', 'g2')`,
    );
    expect(questions).toHaveLength(3);
  });

  test('of one person make one lead, in whatever groups they come', async () => {
    for (let round = 0; round < 30; round += 1) {
      const [phones, emails] = [many(6, newPhone), many(3, newEmail)];
      const bodies = many(32, () => ({
        leadPhones: [...new Set([pick(phones), pick(phones)])],
        ...(Math.random() < 0.3 ? { leadEmails: [pick(emails)] } : {}),
      }));
      const answers = await Promise.all(bodies.map((body) => pick([api, api, other]).post(body)));
      expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
      const created = answers.filter(({ body }) => !body.merged).map(({ body }) => body.id);
      expect(new Set(created).size).toBe(created.length);
      const counts = Object.groupBy(answers, ({ body }) => String(body.id));
      const stored = await submissionsOf(phones);
      expect(new Set(stored.keys())).toEqual(new Set(created));
      for (const [leadId, of] of Object.entries(counts))
        expect(stored.get(leadId)).toBe(of?.length);
    }
    const doubles = await other.database.query(
      `select kind, value from lead_contact_points where founding and mergeable
       group by kind, value having count(*) > 1`,
    );
    expect(doubles).toEqual([]);
  });

  test('fail alone: one that cannot be written leaves the others theirs', async () => {
    const bodies = many(20, (index) => ({
      leadPhones: [newPhone()],
      leadFirstName: index === 7 ? 'refused' : 'fine',
    }));
    const answers = await sendAll(bodies);
    expect(answers.map(({ status }) => status)).toEqual(
      bodies.map(({ leadFirstName }) => (leadFirstName === 'refused' ? 500 : 201)),
    );
    expect(answers.filter(({ body }) => body.merged)).toEqual([]);
  });

  test('wait for nobody whose person another transaction has locked', async () => {
    const locked = newPhone();
    const first = await api.create({ leadPhones: [locked] });
    let merging: Promise<unknown> = Promise.resolve();
    await other.database.transaction(async (sql) => {
      await sql.query(`select from leads where id = $1 for no key update`, [first.id]);
      merging = api.post({ leadPhones: [locked] });
      const answers = await sendAll(many(10, () => ({ leadPhones: [newPhone()] })));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    });
    expect(await merging).toMatchObject({ status: 201, body: { merged: true, id: first.id } });
  });
});

test('Creates that wait for their group hold up no other request of their client', async () => {
  const { creates } = await other.database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [LINGER_LOCK]);
    const creates = sendAll(
      many(48, () => ({ leadPhones: [newPhone()], leadFirstName: 'lingers' })),
    );
    await lingering();
    expect(await api.call('GET', '/public/locations?limit=1')).toMatchObject({ status: 200 });
    return { creates };
  });
  expect((await creates).map(({ status }) => status)).toEqual(many(48, () => 201));
});

describe('An ended merge window that another transaction has locked', () => {
  test('holds up its own person alone, who then gets a new lead', async () => {
    const phone = newPhone();
    const first = await api.create({ leadPhones: [phone] });
    await other.database.query(
      `update leads set merge_window_ends_at = now() - interval '1 hour' where id = $1`,
      [first.id],
    );
    let repeating: Promise<unknown> = Promise.resolve();
    await other.database.transaction(async (sql) => {
      await sql.query(`select from lead_contact_points where value = $1 for update`, [phone]);
      repeating = api.post({ leadPhones: [phone] });
      await waitForLockWaits(other.database);
      const answers = await sendAll(many(10, () => ({ leadPhones: [newPhone()] })));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    });
    expect(await repeating).toMatchObject({
      status: 201,
      body: { merged: false, isRepeatLead: true, repeatOfLeadId: first.id },
    });
    const open = await other.database.query(
      `select lead_id from lead_contact_points where value = $1 and founding and mergeable`,
      [phone],
    );
    expect(open).toHaveLength(1);
  });
});

/** Creates on `database`, without HTTP before them. `ageMs` is for how long the request has been under way. */
async function groupsOn(database: Database) {
  const reference = await loadReference(other.database, 'Our Company');
  const create = createGroupCommit(database, { lateAfterMs: LATE_AFTER_MS });
  return (payload: Payload, { ageMs = 0, client = other.client } = {}) => {
    const request = newCreate(payload, reference, client);
    return create(request, { startedMs: performance.now() - ageMs, isGone: () => false });
  };
}

const LATE_AFTER_MS = 120_000;

test('A create that has waited for too long is refused, new or merged, and holds up none of its group', async () => {
  const create = await groupsOn(other.database);
  const known = newPhone();
  await other.create({ leadPhones: [known] });
  const [fresh, late] = [newPhone(), newPhone()];
  const send = (phone: string, ageMs = 0) =>
    create({ leadPhones: [phone] } as unknown as Payload, { ageMs });
  const outcomes = await Promise.allSettled([
    send(fresh),
    send(late, LATE_AFTER_MS),
    send(known, LATE_AFTER_MS),
  ]);
  const refused = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } };
  expect(outcomes).toMatchObject([{ value: { kind: 'created' } }, refused, refused]);
  expect([...(await submissionsOf([fresh, late, known])).values()]).toEqual([1, 1]);
});

test('A create that has waited for too long for its quiz is refused', async () => {
  const create = await groupsOn(other.database);
  const phone = newPhone();
  const quiz = { quizKey: 'late', answers: [{ questionKey: 'rooms', value: '2' }] };
  const { sent } = await other.database.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('quiz:late', 0))`);
    const sent = Promise.allSettled([create({ leadPhones: [phone], quiz } as unknown as Payload)]);
    await waitForLockWaits(other.database);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + LATE_AFTER_MS);
    return { sent };
  });
  const [outcome] = await sent;
  jest.restoreAllMocks();
  expect(outcome).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  expect((await submissionsOf([phone])).size).toBe(0);
});

describe('A commit whose answer is lost', () => {
  type Lose = (pid: number) => Promise<unknown>;

  /** Loses the answer to a commit of what `write` writes; what is sent again after that lingers no more. */
  async function losingCommit<T>(lose: Lose, write: () => Promise<T>): Promise<T> {
    const { written } = await other.database.transaction(async (sql) => {
      await sql.query('select pg_advisory_xact_lock($1)', [LINGER_LOCK]);
      const written = write();
      await lose(await lingering());
      return { written };
    });
    return written;
  }

  async function loseCommit(count: number, lose: Lose) {
    const create = await groupsOn(api.database);
    const phones = many(count, newPhone);
    const outcomes = await losingCommit(lose, () =>
      Promise.all(
        phones.map((phone) =>
          create({ leadPhones: [phone], leadFirstName: 'lingers' } as unknown as Payload),
        ),
      ),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(phones.map(() => 'created'));
    expect([...(await submissionsOf(phones)).values()]).toEqual(phones.map(() => 1));
  }

  test.each([1, 6])('is looked up: %i leads are each there once and not merged', (count) =>
    loseCommit(count, async () => {
      proxy.turn('refusing');
      proxy.turn('open');
    }),
  );

  test.each([1, 6])('and did not happen is made up for: %i leads are each there once', (count) =>
    loseCommit(count, (pid) => other.database.query(`select pg_terminate_backend($1)`, [pid])),
  );

  test.each([
    ['happened', async () => (proxy.turn('refusing'), proxy.turn('open'))],
    [
      'did not happen',
      (pid: number) => other.database.query(`select pg_terminate_backend($1)`, [pid]),
    ],
  ])('of an update that %s doubles no comment', async (_case, lose) => {
    const lead = await api.create();
    const body = { priority: 'high', comments: [{ text: 'It lingers.' }] };
    expect(await losingCommit(lose, () => api.update(lead.id, body))).toMatchObject({
      updatedFields: ['comments', 'priority'],
      comments: { added: 1, skipped: 0 },
    });
    const [kept] = await other.database.query(
      `select (select count(*) from comments where lead_id = $1) as comments,
         (select count(*) from submissions where lead_id = $1 and kind = 'update') as updates,
         (select round from leads where id = $1) as round`,
      [lead.id],
    );
    expect(kept).toEqual({ comments: 1, updates: 1, round: 2 });
  });
});

test('A create that waits when its caller goes away is not written, and the others of its group are', async () => {
  const [gone, awaited] = [newPhone(), newPhone()];
  const { creates } = await other.database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [LINGER_LOCK]);
    const first = api.create({ leadFirstName: 'lingers' });
    await lingering();
    const request = http.request(`${api.url}/public/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.client.token}`, 'content-type': 'application/json' },
    });
    request.on('error', () => undefined).end(JSON.stringify({ leadPhones: [gone] }));
    const [{ socket }] = (await once(api.server, 'request')) as [http.IncomingMessage];
    const creates = [first, api.create({ leadPhones: [awaited] })];
    await api.call('GET', '/public/locations?limit=1');
    request.destroy();
    await once(socket, 'close');
    return { creates };
  });
  await Promise.all(creates);
  expect([(await submissionsOf([gone])).size, (await submissionsOf([awaited])).size]).toEqual([
    0, 1,
  ]);
});

describe('More creates than can wait', () => {
  const createAll = async (clients: readonly TestClient[]) => {
    const create = await groupsOn(other.database);
    return Promise.allSettled(
      clients.map((client) =>
        create({ leadPhones: [newPhone()] } as unknown as Payload, { client }),
      ),
    );
  };

  test('are answered 503 with Retry-After', async () => {
    const answers = await createAll(many(1100, () => other.client));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(100);
    expect(refused[0]?.reason).toMatchObject({
      statusCode: 503,
      extras: { headers: { 'Retry-After': '1' } },
    });
  });

  test('of one client leave others their share', async () => {
    const [busy, calm] = [await other.addClient(), await other.addClient()];
    const answers = await createAll([...many(1000, () => busy), calm, calm, busy, calm]);
    const statuses = answers.slice(999).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});
