import { parseVerbatim } from '../../domain/people/person-points.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';

/**
 * A test lists all other columns, so that a new column needs a decision. Separate from the entities, so that `leadctl`
 * need not load them.
 */
interface TableDecision {
  /** Empties the personal columns, deletes the rows, or removes a part of a document. */
  rows: 'cleared' | 'deleted' | 'rewritten';
  owner: Owner | null;
  where: string;
  personal: readonly string[];
}

const OWNED_BY = {
  lead: `lead_id = any (:leadIds::uuid[])`,
  contact: `contact_id = any (:contactIds::uuid[])`,
  contactPoint: `(kind, value) in (select * from unnest(:kinds::text[], :values::text[]))`,
  number: `phone = any (:numbers::text[])`,
  checkNumber: `phone = any (:numbers::text[])`,
} as const;

type Owner = keyof typeof OWNED_BY;

const rewritten: TableDecision = {
  rows: 'rewritten',
  owner: null,
  where: 'false',
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

export const personalData: Readonly<Record<string, TableDecision>> = {
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
  // Includes the reason of a request that moved other leads too.
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
  // Of running checks too, so that later answers have no row.
  dncr_check_numbers: deleted(
    'checkNumber',
    'phone status dncr_status registry_status checked_at transaction_id from_cache number_hash',
  ),
  dncr_leases: deleted(
    'number',
    'phone',
    `${OWNED_BY.number} and lease_until <= :now::timestamptz`,
  ),

  // The only free text is an unrecognised distributionType (`eraseFreeFacts`).
  routing_decisions: rewritten,
  lead_waits: rewritten,
};

const EMPTY: Readonly<Record<string, string>> = {
  lead_phones: `'{}'`,
  lead_emails: `'{}'`,
  body: `'null'`,
  distribution_type: ':distributionType',
};

const ORDER: Readonly<Record<string, string>> = {
  submissions: 'received_at, id',
  comments: 'occurred_at, position',
  quiz_answers: 'position',
  webhook_attempts: 'at, id',
  operator_texts: 'written_at',
};

export type Row = Readonly<Record<string, unknown>>;
export type PersonalRows = Readonly<Record<string, readonly Row[]>>;

type OwnerKey = 'leadIds' | 'contactIds' | 'kinds' | 'values' | 'numbers';
export type OwnerParams = Record<OwnerKey, string[]> & { now: Date };

export async function readPersonalRows(sql: Sql, owner: OwnerParams): Promise<PersonalRows> {
  const tables = READ_PERSONAL_ROWS.map(async ([table, read]) => {
    const rows = await sql.all(read, owner);
    return [table, rows.map(({ row }) => parseVerbatim(row) as Row)] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** Excludes erased rows. Known distribution types stay, so they do not count. */
function fullWhere({ rows, where, personal }: TableDecision): string {
  if (rows === 'deleted') return where;
  const full = personal
    .filter((column) => column !== 'distribution_type')
    .map((column) => `${column}::text is distinct from (${EMPTY[column] ?? 'null'})::text`);
  return `${where} and (${full.join(' or ')})`;
}

const READ_PERSONAL_ROWS = Object.entries(personalData)
  .filter(([, { owner }]) => owner !== null)
  .map(([table, decision]) => {
    const text = `select row_to_json(${table})::text as row from ${table}
      where ${fullWhere(decision)} order by ${ORDER[table] ?? `${table}::text`}`;
    return [
      table,
      statement<OwnerParams, { row: string }>(`read_personal_${table}`)`${text}`,
    ] as const;
  });

export function erasingSql(owner: Owner): string {
  return Object.entries(personalData)
    .filter(([, decision]) => decision.owner === owner)
    .map(([table, decision]) => `erased_${table} as (${erasingStatement(table, decision)})`)
    .join(',\n');
}

function erasingStatement(table: string, { rows, where, personal }: TableDecision): string {
  if (rows === 'deleted') return `delete from ${table} where ${where}`;
  const emptied = personal.map((column) => `${column} = ${EMPTY[column] ?? 'null'}`);
  if (table === 'leads') emptied.push('erased_at = coalesce(erased_at, :now::timestamptz)');
  return `update ${table} set ${emptied.join(', ')} where ${where}`;
}

const eraseOf = <Params extends Partial<OwnerParams>>(name: string, ...owners: Owner[]) =>
  statement<Params>(name)`with ${owners.map(erasingSql).join(',\n')} select`;

export const ERASE_CONTACTS = eraseOf<Pick<OwnerParams, 'contactIds'>>('erase_contacts', 'contact');
export const ERASE_CHECK_NUMBERS = eraseOf<OwnerParams>('erase_check_numbers', 'checkNumber');
export const ERASE_NUMBERS = eraseOf<OwnerParams>('erase_numbers', 'contactPoint', 'number');
