import { randomUUID } from 'node:crypto';
import { hashNumber } from '../../../domain/dncr/number.ts';
import { freshSince } from '../../../domain/dncr/answer-cache.ts';
import {
  createCheckOpener,
  openCheck,
  type NewCheck,
  type OpenCheck,
} from '../../../store/dncr/checks.ts';
import { startTestApi } from '../../support/api.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 5, 1);
const hashOf = (phone: string) => hashNumber(phone, Buffer.alloc(32, 1));
const hashesOf = (phones: readonly string[]) => phones.map(hashOf);
const STATUSES = ['registered', 'not_registered', 'not_found'];
/** The first eighteen are cached, each ten days after the one before; the others are not. */
const PHONES = Array.from({ length: 24 }, (_, at) => `05000000${at + 10}`);

const first = await startTestApi();
/** Two API processes' worth, on one database. */
const apis = [first, await startTestApi({ databaseUrl: first.config.database.url })] as const;
const clients = apis.map(({ client }) => client.id);
await first.database.query(
  `insert into dncr_answers
     (phone, status, dncr_status, registry_status, checked_at, transaction_id, number_hash)
   select phone, ($2::text[])[n % 3 + 1], case n % 3 when 0 then 'TRUE' when 1 then 'FALSE' end,
     case n % 3 when 2 then 'Account Number – "Not" Found' end,
     $3::timestamptz + n * interval '10 days 1.001 seconds', 'given', hash
   from unnest($1::text[], $4::bytea[]) with ordinality as p (phone, hash, n)`,
  [PHONES.slice(0, 18), STATUSES, new Date(START), hashesOf(PHONES.slice(0, 18))],
);
afterAll(async () => {
  for (const api of apis.toReversed()) await api.stop();
});

/** The same numbers in the same order in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function newCheck(phones: readonly string[], options: Partial<NewCheck> = {}): NewCheck {
  const now = options.now ?? new Date(START + 200 * DAY_MS);
  return {
    id: randomUUID(),
    clientId: clients[0] ?? '',
    now,
    fresh: false,
    phones: [...new Set(phones)].sort(),
    invalid: 0,
    freshSince: freshSince(now),
    leaseUntil: new Date(START + 1000 * DAY_MS + now.getTime()),
    ...options,
  };
}

/** A check of none to six numbers. Half of all checks have cached ones only. */
function randomCheck(random: (below: number) => number): NewCheck {
  const among = random(2) === 0 ? PHONES.slice(8, 18) : PHONES;
  return newCheck(
    Array.from({ length: random(7) }, () => among[random(among.length)] ?? ''),
    {
      clientId: clients[random(2)],
      now: new Date(START + (200 + random(60)) * DAY_MS + random(1000)),
      fresh: random(6) === 0,
      invalid: random(4),
    },
  );
}

const read = (text: string) => apis[0].database.query(text);
const readChecks = () => read('select * from dncr_checks order by id');

async function forget(): Promise<void> {
  await read('delete from dncr_leases');
  await read('delete from dncr_checks');
}

type Opened = Awaited<ReturnType<OpenCheck>>;

/** What does not depend on which of two checks at once came first. */
const responseOf = ({ cached, leases }: Opened) => ({
  cached: cached.toSorted((a, b) => a.phone.localeCompare(b.phone)),
  asked: leases.map(({ phone }) => phone).sort(),
});

async function inTurn<T, R>(inputs: readonly T[], work: (input: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const input of inputs) results.push(await work(input));
  return results;
}

describe('checks at once over two processes', () => {
  test.each([1, 2, 3, 4, 5])(
    'answer, record and lease as they would one after the other (%d)',
    async (seed) => {
      const random = randomFrom(seed);
      const checks = Array.from({ length: 120 }, () => randomCheck(random));
      const wanted = await inTurn(checks, (check) =>
        openCheck(apis[0].database, { ...check, numberHashes: hashesOf(check.phones) }),
      );
      const wantedRecords = await readChecks();
      const outcomes = new Set(wantedRecords.map(({ outcome }) => String(outcome)));
      expect(outcomes).toEqual(new Set(['open', 'answered']));
      await forget();

      const openers = apis.map(({ database }) => createCheckOpener(database, hashOf)) as [
        OpenCheck,
        OpenCheck,
      ];
      const opened = await Promise.all(
        checks.map((check, at) => openers[at % 2 === 0 ? 0 : 1](check)),
      );
      expect(opened.map(responseOf)).toEqual(wanted.map(responseOf));
      expect(await readChecks()).toEqual(wantedRecords);

      // Each number is leased once, to a check that asks for it, and everyone who asks gets that one.
      const askers = new Map(checks.map((check, at) => [check.id, { check, opened: opened[at] }]));
      const leases = await read(
        'select phone, check_id, lease_until from dncr_leases order by phone',
      );
      const held = new Map(leases.map(({ phone, check_id: id }) => [phone, id]));
      expect(new Set(opened.flatMap((each) => each.leases.map(({ phone }) => phone)))).toEqual(
        new Set(held.keys()),
      );
      for (const { phone, checkId } of opened.flatMap((each) => each.leases))
        expect(checkId).toBe(held.get(phone));
      for (const { phone, check_id: id, lease_until: until } of leases) {
        const holder = askers.get(id);
        expect(holder?.opened?.leases.map((lease) => lease.phone)).toContain(phone);
        expect(until).toEqual(holder?.check.leaseUntil);
      }
      const numbers = await read('select phone, check_id from dncr_check_numbers order by phone');
      expect(numbers).toEqual(leases.map(({ phone, check_id }) => ({ phone, check_id })));
      await forget();
    },
  );

  test('share two statements where the cache holds all their numbers, which record each', async () => {
    const checks = Array.from({ length: 16 }, (_, at) =>
      newCheck(PHONES.slice(at % 8, 18), { invalid: at, clientId: clients[at % 2] }),
    ).map((check) => ({ ...check, freshSince: new Date(START) }));
    const statements: string[] = [];
    const stop = apis[0].database.onStatement((text) => statements.push(text));
    const opened = await Promise.all(checks.map(createCheckOpener(apis[0].database, hashOf)));
    stop();
    expect(statements).toHaveLength(2);
    expect(opened.map(({ cached }) => cached.length)).toEqual(
      checks.map(({ phones }) => phones.length),
    );
    const records = await readChecks();
    expect(records.map(({ id, invalid, outcome }) => ({ id, invalid, outcome }))).toEqual(
      checks
        .map(({ id, invalid }) => ({ id, invalid, outcome: 'answered' }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    await forget();
  });

  test('are answered though one among them fails', async () => {
    const checks = [clients[0], randomUUID(), clients[1]].map((clientId) =>
      newCheck(['0500000027'], { clientId }),
    );
    const opened = await Promise.allSettled(
      checks.map(createCheckOpener(apis[0].database, hashOf)),
    );
    expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(new Set((await readChecks()).map(({ id }) => id))).toEqual(
      new Set([checks[0]?.id, checks[2]?.id]),
    );
    await forget();
  });
});
