import { personalData, type Owner } from './personal-data.ts';

/** What a cleared column becomes; null where it is not named here. */
const EMPTY: Readonly<Record<string, string>> = {
  lead_phones: `'{}'`,
  lead_emails: `'{}'`,
  body: `'null'`,
  distribution_type: ':distributionType',
};

/** Set beside the personal columns. */
const MARKS: Readonly<Record<string, string>> = { leads: 'erased_at = :now::timestamptz' };

/** One common table expression for each table in which rows of this owner are emptied or deleted. */
export function erasingSql(owner: Owner): string {
  return Object.entries(personalData)
    .filter(([, decision]) => decision.owner === owner)
    .map(([table, { rows, where, personal }]) => {
      if (rows === 'deleted') return `erased_${table} as (delete from ${table} where ${where})`;
      const emptied = personal.map((column) => `${column} = ${EMPTY[column] ?? 'null'}`);
      const columns = [...emptied, MARKS[table] ?? []].flat().join(', ');
      return `erased_${table} as (update ${table} set ${columns} where ${where})`;
    })
    .join(',\n');
}
