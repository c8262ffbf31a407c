import { createLead, prepareCreate } from '../../../api/leads/create-lead.ts';
import {
  createSql,
  type Database,
  type TransactionOptions,
  type TransactionSql,
} from '../../../store/db/database.ts';
import { loadReference } from '../../../store/catalogue/reference.ts';
import { createTestDatabase } from '../../support/database.ts';
import { newEmail, newPhone, startIntake, type TestApi } from '../../support/api.ts';
import { newCreate } from './new-create.ts';

const ROUNDS = 25;
const AT_ONCE = 8;

const shared = await createTestDatabase();
const start = () => startIntake({ databaseUrl: shared.url });
const apis: [TestApi, TestApi] = [await start(), await start()];
afterAll(async () => {
  for (const api of apis) await api.stop();
  await shared.drop();
});

const shuffled = <T>(list: T[]): T[] =>
  list
    .map((value) => ({ value, by: Math.random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ value }) => value);

function sendAll(bodies: object[]) {
  return Promise.all(bodies.map((body, index) => (apis[index % 2] as TestApi).post(body)));
}

describe('Simultaneous enquiries of one person, over two API processes', () => {
  test('with a quiz and an ad make one lead in every round', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [phone, mail] = [newPhone(), newEmail()];
      const bodies = Array.from({ length: AT_ONCE }, () => ({
        leadPhones: shuffled([phone, newPhone()]),
        leadEmails: shuffled([mail, newEmail()]),
        quiz: { quizKey: 'race', answers: [{ questionKey: newPhone(), optionKey: newPhone() }] },
        adPlatform: { adPlatformLeadId: phone, adPlatformCampaignId: 'race' },
      }));
      const answers = await sendAll(bodies);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers.filter(({ body }) => !body.merged)).toHaveLength(1);
    }
  });

  test('a hundred at once wait for their turn and make one lead', async () => {
    const body = { leadPhones: [newPhone()] };
    const answers = await sendAll(Array.from({ length: 100 }, () => body));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  test('with chains of phones, updates and ending windows beside them, none fails', async () => {
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const owner = { client: apis[0].client };
      const ring = Array.from({ length: AT_ONCE }, newPhone);
      const lead = await apis[0].create({ leadPhones: [newPhone(), ...ring.slice(0, 2)] });
      const bodies = ring.map((phone, index) => ({
        leadPhones: shuffled([phone, ring[(index + 1) % AT_ONCE] as string]),
      }));
      const [answers, updates] = await Promise.all([
        sendAll(bodies),
        Promise.all(ring.map((phone) => apis[1].update(lead.id, { leadPhones: [phone] }, owner))),
        apis[0].database.query(
          `with closed as (update leads set merge_window_closed_at = now() where id = $1 returning id)
           update lead_contact_points h set mergeable = false from closed where h.lead_id = closed.id`,
          [lead.id],
        ),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(updates).toHaveLength(AT_ONCE);
    }
  });

  test('no two open leads are founded on one phone or e-mail', async () => {
    const doubles = await apis[0].database.query(
      `select kind, value from lead_contact_points where founding and mergeable
       group by kind, value having count(*) > 1`,
    );
    expect(doubles).toEqual([]);
  });
});

/** The database without advisory locks, where all transactions read before any of them writes. */
function withoutLocks(database: Database, options: TransactionOptions, atOnce: number): Database {
  let reading = atOnce;
  let release: () => void = () => undefined;
  const allHaveRead = new Promise<void>((resolve) => (release = resolve));
  const unlocked = (sql: TransactionSql): TransactionSql => ({
    ...sql,
    ...createSql(async (text, values) => {
      if (text.includes('pg_advisory_xact_lock(key)') && !text.includes('for no key')) return [];
      const rows = await sql.query(text, values);
      if (text.includes("'openLeads'")) {
        reading -= 1;
        if (reading <= 0) release();
        await allHaveRead;
      }
      return rows as never;
    }),
  });
  return {
    ...database,
    transaction: (work) => database.transaction((sql) => work(unlocked(sql)), options),
  };
}

describe('Behind the locks', () => {
  async function raceWithoutLocks(options: TransactionOptions) {
    const { database, client } = apis[0];
    const reference = await loadReference(database, 'Our Company');
    const leadPhones = [newPhone()];
    const unlocked = withoutLocks(database, options, 2);
    const request = () => newCreate({ leadPhones }, reference, client);
    const create = () => createLead(unlocked, prepareCreate(request(), Infinity));
    return Promise.allSettled([create(), create()]);
  }

  test('stands a constraint, so that a missed lock is an error and not a second lead', async () => {
    const outcomes = await raceWithoutLocks({});
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(failed?.reason).toMatchObject({ code: '23505' });
  });

  test('and the one that meets it is tried again and merges', async () => {
    const outcomes = await raceWithoutLocks({ retries: 3 });
    const kinds = outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.kind);
    expect(kinds.sort()).toEqual(['created', 'merged']);
  });
});
