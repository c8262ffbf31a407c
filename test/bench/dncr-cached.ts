import { randomUUID } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';
import { readCheckRequest, checkMeta, resultRows } from '../../domain/dncr/check.ts';
import { freshSince } from '../../domain/dncr/answer-cache.ts';
import type { Database } from '../../store/db/database.ts';
import { createCheckOpener, type OpenCheck } from '../../store/dncr/checks.ts';
import { cpuMsOf, familyCpuMsOf } from './cpu.ts';
import { latencyOf } from './latency.ts';
import { alternate } from './median.ts';

export interface CheckFigures {
  perSecond: number;
  /** Processor time of one check, or of one bare query. */
  nodeMs: number;
  postgresMs: number;
}

export interface DncrCachedBench {
  atOnce: number;
  floor: CheckFigures;
  checks: CheckFigures;
}

const CACHED = 50_000;
const NUMBERS = 20;
const ROUNDS = 5;
/** Repetitions by how many are asked at once. */
const TIMES = { 1: 400, 16: 3000 };

/**
 * A cached check of 20 numbers, from the texts sent to the rows and the meta, with its record, beside one
 * bare `= any` query over as many connections as are asked at once. The rounds of both alternate; the
 * medians count. Needs a migrated database of its own.
 */
export async function benchDncrCached(
  database: Database,
  { url, postgresPid }: { url: string; postgresPid: number },
): Promise<DncrCachedBench[]> {
  const clientId = await fill(database);
  const openCheck = createCheckOpener(database, () => Buffer.alloc(32));
  const bare = new pg.Pool({ connectionString: url, max: 16 });
  const sides = [
    (at: number) => bareQuery(bare, phonesAt(at)),
    (at: number) => cachedCheck(openCheck, clientId, phonesAt(at)),
  ] as const;
  const results: DncrCachedBench[] = [];
  for (const [atOnce, times] of Object.entries(TIMES)) {
    const load = { times, atOnce: Number(atOnce), postgresPid };
    const [floor, checks] = await alternate(ROUNDS, sides, (work) => measure(work, load));
    if (floor && checks) results.push({ atOnce: Number(atOnce), floor, checks });
  }
  await bare.end();
  return results;
}

async function measure(
  work: (at: number) => Promise<void>,
  options: { times: number; atOnce: number; postgresPid: number },
): Promise<CheckFigures> {
  const { times, postgresPid } = options;
  const before = [cpuMsOf(process.pid), familyCpuMsOf(postgresPid)] as const;
  const { perSecond } = await latencyOf(work, options);
  return {
    perSecond,
    nodeMs: (cpuMsOf(process.pid) - before[0]) / times,
    postgresMs: (familyCpuMsOf(postgresPid) - before[1]) / times,
  };
}

async function fill(database: Database): Promise<string> {
  const clientId = randomUUID();
  await database.query(
    `insert into oauth_clients (id, client_id, name, secret_hash, active, created_at)
     values ($1, $2, 'bench', '', true, now())`,
    [clientId, clientId],
  );
  await database.query(
    `insert into dncr_answers (phone, status, dncr_status, checked_at, transaction_id, number_hash)
     select '05' || (10000000 + n), 'not_registered', 'FALSE', now(), 'bench', sha256(n::text::bytea)
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

async function bareQuery(pool: pg.Pool, phones: string[]): Promise<void> {
  const text = 'select * from dncr_answers where phone = any($1)';
  const { rowCount } = await pool.query({ name: 'floor', text, values: [phones] });
  if (rowCount !== NUMBERS) throw new Error('The floor does not find all numbers.');
}

async function cachedCheck(openCheck: OpenCheck, clientId: string, sent: string[]): Promise<void> {
  const request = readCheckRequest(sent, false);
  const now = new Date();
  const { cached, leases } = await openCheck({
    id: randomUUID(),
    clientId,
    now,
    fresh: false,
    phones: request.phones,
    invalid: 0,
    freshSince: freshSince(now),
    leaseUntil: now,
  });
  if (leases.length > 0) throw new Error('A number is not cached.');
  const answers = new Map(cached.map((answer) => [answer.phone, answer]));
  resultRows(request.inputs, answers);
  checkMeta(request, answers, null);
}
