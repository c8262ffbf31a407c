import { personalData, type Owner, type TableDecision } from './personal-data.ts';

/** What a cleared column becomes; null where it is not named here. */
const EMPTY: Readonly<Record<string, string>> = {
  lead_phones: `'{}'`,
  lead_emails: `'{}'`,
  body: `'null'`,
  text: `''`,
  data: `'{}'`,
  distribution_type: ':distributionType',
};

/** Set beside the personal columns. */
const MARKS: Readonly<Record<string, string>> = {
  leads: 'erased_at = coalesce(erased_at, :now::timestamptz)',
};

/** One common table expression for each table in which rows of this owner are emptied or deleted. */
export function erasingSql(owner: Owner): string {
  return Object.entries(personalData)
    .filter(([, decision]) => decision.owner === owner)
    .map(([table, decision]) => `erased_${table} as (${erasingStatement(table, decision)})`)
    .join(',\n');
}

export function erasingStatement(
  table: string,
  { rows, where, personal }: Pick<TableDecision, 'rows' | 'where' | 'personal'>,
): string {
  if (rows === 'deleted') return `delete from ${table} where ${where}`;
  const emptied = personal.map((column) => `${column} = ${EMPTY[column] ?? 'null'}`);
  const columns = [...emptied, MARKS[table] ?? []].flat().join(', ');
  return `update ${table} set ${columns} where ${where}`;
}

/**
 * Counts per table what leads hold that were erased: rows that an erasure deletes, and columns that it empties. A
 * distribution type that rules know stays, so that it says nothing.
 */
export const COUNT_LEFTOVERS_SQL = `select * from (${Object.entries(personalData)
  .filter(([, { owner }]) => owner === 'lead')
  .map(([table, { rows, where, personal }]) => {
    const full = personal.filter((column) => column !== 'distribution_type').map(isFull);
    const condition = rows === 'deleted' ? where : `${where} and (${full.join(' or ')})`;
    return `select '${table}' as name, count(*) as rows from ${table} where ${condition}`;
  })
  .join(' union all ')}) counted where rows > 0`;

function isFull(column: string): string {
  return `${column}::text is distinct from (${EMPTY[column] ?? 'null'})::text`;
}
