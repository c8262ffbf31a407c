import { noteErasures, type NoteErasures } from '../../domain/leads/timeline-notes.ts';
import type { Sql } from '../db/database.ts';

/**
 * Which columns hold a person's data. An export reads them, an erasure empties them. A test has the list of all
 * other columns (test/store/people/other-columns.ts), so that a new column needs a decision. Agents, operators and
 * integrators are no such persons here: their records belong to the business. The lists stand here and not with the
 * columns, so that `leadctl` reads them without loading the entities.
 */
interface TableDecision {
  /** What an erasure does: nothing, empty the personal columns, delete the rows, or take a part out of a document. */
  rows: 'kept' | 'cleared' | 'deleted' | 'rewritten';
  /** What the rows are found by; null where no statement of `erasingSql` changes them. */
  owner: Owner | null;
  where: string;
  personal: readonly string[];
}

/** The condition by which most tables find their rows. */
const OWNED_BY = {
  lead: `lead_id = any (:leadIds::uuid[])`,
  contact: `contact_id = any (:contactIds::uuid[])`,
  contactPoint: `(kind, value) in (select * from unnest(:kinds::text[], :values::text[]))`,
  /** A UAE mobile number in local form. */
  number: `phone = any (:numbers::text[])`,
  /** The same of a check, also of one that runs. */
  checkNumber: `phone = any (:numbers::text[])`,
} as const;

type Owner = keyof typeof OWNED_BY;

const words = (text: string) => text.split(/\s+/);

const kept: TableDecision = { rows: 'kept', owner: null, where: 'false', personal: [] };

const rewritten = (personal: string): TableDecision => ({
  rows: 'rewritten',
  owner: null,
  where: 'false',
  personal: words(personal),
});

interface Columns {
  personal: string;
  where?: string;
}

const owned =
  (rows: 'cleared' | 'deleted') =>
  (owner: Owner, { personal, where = OWNED_BY[owner] }: Columns): TableDecision => ({
    rows,
    owner,
    where,
    personal: words(personal),
  });
const cleared = owned('cleared');
const deleted = owned('deleted');

const HAND_OVERS_OF_LEAD = `
      select hand_over_id from assignments where ${OWNED_BY.lead}
      union all select hand_over_id from lead_waits where ${OWNED_BY.lead}`;

/** What is kept of notes of all kinds, and what is emptied where a kind says so. */
export function decideNotes(erasures: NoteErasures): TableDecision {
  const kinds = Object.keys(erasures).filter((kind) => erasures[kind] === 'emptied');
  if (kinds.length === 0) return kept;
  const where = `${OWNED_BY.lead} and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
  return cleared('lead', { where, personal: `text data` });
}

export const personalData: Readonly<Record<string, TableDecision>> = {
  // A lead stays as a number: when, from where, for what, who got it. Its texts are gone.
  leads: cleared('lead', {
    where: `id = any (:leadIds::uuid[])`,
    personal: `lead_phones lead_emails lead_first_name lead_middle_name lead_second_name lead_last_name
      lead_company_name priority initial_inquiry page_url path_locale gclid fbclid utm_source utm_medium
      utm_campaign utm_term utm_content form_name adset_name referrer ip_address user_agent
      final_page_name ad_id ad_name adgroup_id adgroup_name form_id ad_form_name intake_unresolved
      distribution_type`,
  }),
  lead_contact_points: deleted('lead', {
    personal: `kind value`,
  }),
  submissions: cleared('lead', {
    personal: `body`,
  }),
  comments: deleted('lead', {
    personal: `text author channel direction external_id occurred_at`,
  }),
  quiz_answers: deleted('lead', {
    personal: `quiz_key question raw reading`,
  }),
  ad_platform_blocks: deleted('lead', {
    personal: `ad_platform_lead_id block`,
  }),
  webhook_attempts: cleared('lead', {
    where: `response_head is not null
      and event_id in (select id from webhook_events where lead_id = any (:leadIds::uuid[]))`,
    personal: `response_head`,
  }),
  // All that operators wrote about the lead, also as the reason of a request that moved others as well.
  operator_texts: deleted('lead', {
    where: `id in (select id from operator_texts where ${OWNED_BY.lead}
      union all select t.id from (${HAND_OVERS_OF_LEAD}) h join operator_texts t using (hand_over_id))`,
    personal: `text`,
  }),
  hand_overs: cleared('lead', {
    where: `reason is not null and id in (${HAND_OVERS_OF_LEAD})`,
    personal: `reason`,
  }),

  contacts: cleared('contact', {
    where: `id = any (:contactIds::uuid[])`,
    personal: `first_name middle_name last_name company_name`,
  }),
  contact_points: deleted('contact', { personal: `kind value` }),
  known_agents: deleted('contactPoint', { personal: `kind value` }),

  dncr_answers: deleted('number', {
    personal: `phone status dncr_status registry_status checked_at transaction_id number_hash`,
  }),
  // The numbers of a check that runs go too: what the registry answers then has no row to go to.
  dncr_check_numbers: deleted('checkNumber', {
    personal: `phone status dncr_status registry_status checked_at transaction_id from_cache number_hash`,
  }),
  dncr_leases: deleted('number', {
    where: `${OWNED_BY.number} and lease_until <= :now::timestamptz`,
    personal: `phone`,
  }),

  // An unrecognised distributionType is the only text in them that is free (`eraseFreeFacts`).
  routing_decisions: rewritten(`facts facts_hash`),
  lead_waits: rewritten(`facts facts_hash`),
  timeline_notes: decideNotes(noteErasures),
};

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

/** Reads the rows of a table that are found by these owners, as JSON. */
export async function readPersonalRows(sql: Sql, table: string, parameters: object) {
  const text = `select row_to_json(${table}) as row from ${table} where ${personalData[table]?.where}`;
  const rows = await sql.query<{ row: Record<string, unknown> }>(text, parameters);
  return rows.map(({ row }) => row);
}

/** Empties or deletes all rows of these owners, in one statement. */
export async function eraseRows(sql: Sql, owners: readonly Owner[], parameters: object) {
  await sql.query(`with ${owners.map(erasingSql).join(',\n')} select`, parameters);
}

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
export function countLeftovers(sql: Sql, leadIds: readonly string[]) {
  return sql.query<{ name: string; rows: number }>(COUNT_LEFTOVERS_SQL, { leadIds });
}

const COUNT_LEFTOVERS_SQL = `select * from (${Object.entries(personalData)
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
