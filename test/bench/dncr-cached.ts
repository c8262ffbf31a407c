import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { hashNumber, readCheckRequest } from '../../domain/dncr/number.ts';
import { freshSince } from '../../domain/dncr/registry-answer.ts';
import { checkMeta, resultRows } from '../../domain/dncr/result.ts';
import type { Database } from '../../store/db/database.ts';
import { openCheck } from '../../store/dncr/checks.ts';
import { median } from './median.ts';

export interface DncrCachedBench {
  /** Per second, one after the other. */
  floor: number;
  checks: number;
  /** Checks for one bare query; 1 would be no cost of ours at all. */
  ratio: number;
}

const CACHED = 50_000;
const NUMBERS = 20;
const ROUNDS = 5;
const key = Buffer.alloc(32, 1);

/**
 * A cached check of 20 numbers, from the texts sent to the rows and the meta, with its record, against
 * one bare `= any` query. Needs a migrated database of its own.
 */
export async function benchDncrCached(
  database: Database,
  options: { url: string; perRound?: number },
): Promise<DncrCachedBench> {
  const { url, perRound = 400 } = options;
  const clientId = await fill(database);
  const bare = new pg.Client({ connectionString: url });
  await bare.connect();
  const floors: number[] = [];
  const checks: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    floors.push(await perSecond(perRound, (at) => bareQuery(bare, phonesAt(at))));
    checks.push(await perSecond(perRound, (at) => cachedCheck(database, clientId, phonesAt(at))));
  }
  await bare.end();
  const [floor, checked] = [median(floors.slice(1)), median(checks.slice(1))];
  return { floor, checks: checked, ratio: checked / floor };
}

async function fill(database: Database): Promise<string> {
  const clientId = randomUUID();
  await database.query(
    `insert into oauth_clients (id, client_id, name, secret_hash, active, created_at)
     values ($1, $2, 'bench', '', true, now())`,
    [clientId, clientId],
  );
  await database.query(
    `insert into dncr_answers (phone, status, dncr_status, checked_at, transaction_id)
     select '05' || (10000000 + n), 'not_registered', 'FALSE', now(), 'bench'
     from generate_series(0, $1::int - 1) as n`,
    [CACHED],
  );
  await database.query('analyze dncr_answers');
  return clientId;
}

function phonesAt(at: number): string[] {
  return Array.from({ length: NUMBERS }, (_, step) => {
    return `05${10_000_000 + ((at * 7919 + step * 2467) % CACHED)}`;
  });
}

async function bareQuery(client: pg.Client, phones: string[]): Promise<void> {
  const text = 'select * from dncr_answers where phone = any($1)';
  const { rowCount } = await client.query({ name: 'floor', text, values: [phones] });
  if (rowCount !== NUMBERS) throw new Error('The floor does not find all numbers.');
}

async function cachedCheck(database: Database, clientId: string, sent: string[]): Promise<void> {
  const request = readCheckRequest(sent, false);
  const now = new Date();
  const { cached, leases } = await openCheck(database, {
    id: randomUUID(),
    clientId,
    now,
    fresh: false,
    phones: request.phones,
    numberHashes: request.phones.map((phone) => hashNumber(phone, key)),
    invalid: 0,
    freshSince: freshSince(now),
    leaseUntil: now,
  });
  if (leases.length > 0) throw new Error('A number is not cached.');
  const answers = new Map(cached.map((answer) => [answer.phone, answer]));
  resultRows(request.inputs, answers);
  checkMeta(request, answers, null);
}

async function perSecond(times: number, work: (at: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let at = 0; at < times; at += 1) await work(at);
  return Math.round((times * 1000) / (performance.now() - started));
}
