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

const unowned = { owner: null, where: 'false' };
const kept: TableDecision = { ...unowned, rows: 'kept', personal: [] };
const rewritten: TableDecision = {
  ...unowned,
  rows: 'rewritten',
  personal: ['facts', 'facts_hash'],
};

const decide =
  (rows: 'cleared' | 'deleted') =>
  (owner: Owner, personal: string, where: string = OWNED_BY[owner]): TableDecision => ({
    rows,
    owner,
    where,
    personal: personal.split(/\s+/),
  });
const cleared = decide('cleared');
const deleted = decide('deleted');

const HAND_OVERS_OF_LEAD = `
      select hand_over_id from assignments where ${OWNED_BY.lead}
      union all select hand_over_id from lead_waits where ${OWNED_BY.lead}`;

/** What is kept of notes of all kinds, and what is emptied where a kind says so. */
export function decideNotes(erasures: NoteErasures): TableDecision {
  const kinds = Object.keys(erasures).filter((kind) => erasures[kind] === 'emptied');
  if (kinds.length === 0) return kept;
  const where = `${OWNED_BY.lead} and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
  return cleared('lead', 'text data', where);
}

export const personalData: Readonly<Record<string, TableDecision>> = {
  // A lead stays as a number: when, from where, for what, who got it. Its texts are gone.
  leads: cleared(
    'lead',
    `lead_phones lead_emails lead_first_name lead_middle_name lead_second_name lead_last_name
      lead_company_name priority initial_inquiry page_url path_locale gclid fbclid utm_source utm_medium
      utm_campaign utm_term utm_content form_name adset_name referrer ip_address user_agent
      final_page_name ad_id ad_name adgroup_id adgroup_name form_id ad_form_name intake_unresolved
      distribution_type`,
    `id = any (:leadIds::uuid[])`,
  ),
  lead_contact_points: deleted('lead', 'kind value'),
  submissions: cleared('lead', 'body'),
  comments: deleted('lead', 'text author channel direction external_id occurred_at'),
  quiz_answers: deleted('lead', 'quiz_key question raw reading'),
  ad_platform_blocks: deleted('lead', 'ad_platform_lead_id block'),
  webhook_attempts: cleared(
    'lead',
    'response_head',
    `response_head is not null
      and event_id in (select id from webhook_events where lead_id = any (:leadIds::uuid[]))`,
  ),
  // All that operators wrote about the lead, also as the reason of a request that moved others as well.
  operator_texts: deleted(
    'lead',
    'text',
    `id in (select id from operator_texts where ${OWNED_BY.lead}
      union all select t.id from (${HAND_OVERS_OF_LEAD}) h join operator_texts t using (hand_over_id))`,
  ),
  hand_overs: cleared('lead', 'reason', `reason is not null and id in (${HAND_OVERS_OF_LEAD})`),

  contacts: cleared(
    'contact',
    'first_name middle_name last_name company_name',
    `id = any (:contactIds::uuid[])`,
  ),
  contact_points: deleted('contact', 'kind value'),
  known_agents: deleted('contactPoint', 'kind value'),

  dncr_answers: deleted(
    'number',
    'phone status dncr_status registry_status checked_at transaction_id number_hash',
  ),
  // The numbers of a check that runs go too: what the registry answers then has no row to go to.
  dncr_check_numbers: deleted(
    'checkNumber',
    'phone status dncr_status registry_status checked_at transaction_id from_cache number_hash',
  ),
  dncr_leases: deleted(
    'number',
    'phone',
    `${OWNED_BY.number} and lease_until <= :now::timestamptz`,
  ),

  // An unrecognised distributionType is the only text in them that is free (`eraseFreeFacts`).
  routing_decisions: rewritten,
  lead_waits: rewritten,
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
  if (table === 'leads') emptied.push('erased_at = coalesce(erased_at, :now::timestamptz)');
  return `update ${table} set ${emptied.join(', ')} where ${where}`;
}

/** Counts per table the rows of these owners. */
export function countOwnedRows(sql: Sql, parameters: object) {
  return countRows(sql, ({ owner, where }) => owner && where, parameters);
}

/**
 * Counts per table what leads hold that were erased: rows that an erasure deletes, and columns that it empties. A
 * distribution type that rules know stays, so that it says nothing.
 */
export function countLeftovers(sql: Sql, leadIds: readonly string[]) {
  const conditionOf = ({ owner, rows, where, personal }: TableDecision) => {
    if (owner !== 'lead') return null;
    const full = personal.filter((column) => column !== 'distribution_type').map(isFull);
    return rows === 'deleted' ? where : `${where} and (${full.join(' or ')})`;
  };
  return countRows(sql, conditionOf, { leadIds });
}

/** Leaves out tables without a row, and those for which `conditionOf` returns null. */
async function countRows(
  sql: Sql,
  conditionOf: (decision: TableDecision) => string | null,
  parameters: object,
) {
  const selects = Object.entries(personalData).flatMap(([table, decision]) => {
    const condition = conditionOf(decision);
    if (condition === null) return [];
    return [`select '${table}' as name, count(*) as rows from ${table} where ${condition}`];
  });
  const text = `select * from (${selects.join(' union all ')}) counted where rows > 0`;
  const counts = await sql.query<{ name: string; rows: number }>(text, parameters);
  return Object.fromEntries(counts.map(({ name, rows }) => [name, rows]));
}

function isFull(column: string): string {
  return `${column}::text is distinct from (${EMPTY[column] ?? 'null'})::text`;
}
