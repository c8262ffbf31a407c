import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { connectDatabase } from '../../store/db/database.ts';
import { startTestApi } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { cpuMsOf, familyCpuMsOf } from './cpu.ts';
import { explainAll, type ExplainedStatement } from './years/explained.ts';
import { TABLES, type YearsFill } from './years/fill.ts';
import { prepareYears } from './years/prepare.ts';
import { leadctlReads, loops, maintenance, type Work } from './years/work.ts';

export interface YearsBench extends YearsFill {
  fillSeconds: number;
  /** With indexes, for each lead. */
  bytes: Record<string, number>;
  work: YearsWork[];
}

export interface YearsWork {
  name: string;
  seconds: number;
  /** CPU of this process and Postgres together: how long it would take one core that nobody else uses. */
  cpuSeconds: number;
  /** Those of more than some milliseconds. */
  statements: number;
  slowest: ExplainedStatement | null;
  /** Tables that grow with the leads and were read as a whole. */
  scanned: string[];
}

/** `url` is a migrated database that nobody uses, `logFile` that of its server. The purges remove a tenth of what is there. */
export async function benchYears(
  url: string,
  { logFile, postgresPid }: { logFile: string; postgresPid: number },
  fill: YearsFill,
): Promise<YearsBench> {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  const began = performance.now();
  const prepared = await prepareYears(api, url, fill);
  const fillSeconds = (performance.now() - began) / 1000;
  const { clientId } = api.client;
  await api.stop();
  const bytes = await bytesOf(url, fill.leads);
  const explained = await explainAll(url, logFile);
  // As the worker's: it plans each statement at each call, unlike the API.
  const database = await connectDatabase({ url, poolSize: 4 });
  const subjects = {
    url,
    database,
    clientId,
    ...prepared,
    email: prepared.agents[0]?.email ?? '',
    rulesFile: path.join(path.dirname(logFile), 'rules.json'),
  };
  const work: YearsWork[] = [];
  const all: Work = {
    ...(await leadctlReads(subjects)),
    ...loops(subjects),
    ...maintenance(subjects, fill.days),
  };
  try {
    for (const [name, run] of Object.entries(all)) {
      const cpuMs = () => cpuMsOf(process.pid) + familyCpuMsOf(postgresPid);
      const [start, cpuBefore] = [performance.now(), cpuMs()];
      const statements = await explained.during(run);
      const seconds = (performance.now() - start) / 1000;
      const cpuSeconds = (cpuMs() - cpuBefore) / 1000;
      work.push({ name, seconds, cpuSeconds, ...summaryOf(statements) });
    }
    return { ...fill, fillSeconds, bytes, work };
  } finally {
    await explained.close();
    await database.close();
  }
}

function summaryOf(statements: readonly ExplainedStatement[]) {
  const scanned = new Set(statements.flatMap((statement) => statement.scanned));
  return {
    statements: statements.length,
    slowest: statements.toSorted((a, b) => b.ms - a.ms)[0] ?? null,
    scanned: TABLES.filter((table) => scanned.has(table)),
  };
}

async function bytesOf(url: string, leads: number): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`,
  );
  await client.end();
  return Object.fromEntries(
    rows
      .map(({ name, bytes }) => [name, Math.round(Number(bytes) / leads)])
      .filter(([, each]) => Number(each) >= 10),
  );
}
