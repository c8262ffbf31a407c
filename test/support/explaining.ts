import pg, { type QueryResultRow } from 'pg';
import { createSql, type Database, type Sql } from '../../store/db/database.ts';

export interface Plan {
  /** Kinds of the plan's nodes with what they read: `Bitmap Index Scan on locations_search`. */
  steps: string[];
  /** Pages of 8 KiB that were read, from memory or not. */
  pages: number;
  ms: number;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

interface Explained extends QueryResultRow {
  'QUERY PLAN': [{ Plan: Node; 'Execution Time': number }];
}

/** A database that notes the plan of every query on a table before it runs it. */
export function explaining(database: Database, plans: Plan[]): Database {
  const noting = (sql: Sql): Sql =>
    createSql(async (text, values) => {
      if (/ from [lpdw]/.test(text)) plans.push(await planOf(sql, text, values));
      return sql.query(text, values);
    });
  const transaction: Database['transaction'] = (work, options) =>
    database.transaction((sql) => work({ ...sql, ...noting(sql) }), options);
  return { ...database, ...noting(database), transaction };
}

async function planOf(sql: Sql, text: string, values?: readonly unknown[]): Promise<Plan> {
  const [row] = await sql.query<Explained>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  return readPlan(row);
}

/** The plan that the API keeps for a prepared statement, whatever its values. */
export async function genericPlanOf(url: string, text: string, values: readonly unknown[]) {
  const client = new pg.Client({
    connectionString: url,
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  });
  await client.connect();
  try {
    await client.query(`prepare explained as ${text}`);
    const literals = values.map(literalOf);
    const args = literals.length > 0 ? ` (${literals.join()})` : '';
    const { rows } = await client.query<Explained>(
      `explain (analyze, buffers, format json) execute explained${args}`,
    );
    return readPlan(rows[0]);
  } finally {
    await client.end();
  }
}

function literalOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value));
}

function readPlan(row: Explained | undefined): Plan {
  if (!row) throw new Error('No plan.');
  const [{ Plan: root, 'Execution Time': ms }] = row['QUERY PLAN'];
  return {
    steps: stepsOf(root),
    pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    ms,
  };
}

function stepsOf(node: Node): string[] {
  const on = node['Index Name'] ?? node['Relation Name'];
  const step = `${node['Node Type']}${on ? ` on ${on}` : ''}`;
  return [step, ...(node.Plans ?? []).flatMap(stepsOf)];
}
