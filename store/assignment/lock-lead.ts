import { findTakenFrom, type HolderChange } from '../../domain/assignment/hand-over.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { FollowUp } from '../../domain/routing/follow-up.ts';
import type { LeadFacts, LeadLocation, RuleWait } from '../../domain/routing/condition.ts';
import { UNREADABLE } from '../../domain/routing/eligibility.ts';
import type { Sql } from '../db/database.ts';
import { LEAD_AS_JSON, type LeadRow } from '../leads/lead-json.ts';
import { agentAsJson } from '../routing/agents.ts';
import { statement, utcText } from '../db/statement.ts';
import { FIRST_ROUND_OF_WAIT, isUndo, isUndone, wasUndone } from '../leads/waiting-leads.ts';

/** For the first match of rules: without assignments and waits. */
export interface UnlockedLead {
  lead: LeadRow;
  /** Its public id. */
  client: string;
  listing: { purpose: string; market: string } | null;
  locations: LeadLocation[];
  languages: string[];
  rulesetVersion: number;
}

export interface LockedLead extends UnlockedLead {
  owner: AgentView | null;
  holders: string[];
  /** The present owner, or the last one if the lead has none. */
  lastHolderId: string | null;
  changes: HolderChange[];
  contactOwnerId: string | null;
  /** Waits since the lead last had an owner or an operator last moved it. */
  waits: (RuleWait & { isOfRound: boolean })[];
  waitDecidedAt: string | null;
  /** A lower bound: the decision may read newer lists, agents and rules. */
  referenceVersion: number;
  current: CurrentAssignment | null;
  /** The newest assignment by a rule or to an agent. Other changes by operators have no terms. */
  terms: CurrentAssignment | null;
}

export interface CurrentAssignment {
  id: string;
  ruleName: string | null;
  rulesetVersion: number | null;
  followUp: FollowUp | null;
  followUpDueAt: string | null;
}

/** Null if the lead does not exist. `undoneBy`: a request whose revert of an earlier transfer the read anticipates. */
export async function lockLead(
  sql: Sql,
  leadId: string,
  undoneBy: string | null = null,
): Promise<LockedLead | null> {
  const [, row] = await Promise.all([
    sql.all(LOCK_LEAD, { leadId }),
    sql.first(READ_LOCKED_LEADS, { leadIds: [leadId], undoneBy }),
  ]);
  return row?.found ?? null;
}

const LOCK_LEAD = statement<{ leadId: string }, { id: string }>('lock_lead')`
select id from leads where id = :leadId for no key update`;

/** In the order of the ids, without missing leads. The transaction has locked them. */
export async function readLockedLeads(sql: Sql, leadIds: readonly string[]): Promise<LockedLead[]> {
  const rows = await sql.all(READ_LOCKED_LEADS, { leadIds, undoneBy: null });
  const found = new Map(rows.map((row) => [row.found.lead.id, row.found]));
  return leadIds.flatMap((id) => found.get(id) ?? []);
}

const takesNothing = (handOverId: string) => `${isUndo(handOverId)} or ${isUndone(handOverId)}`;

/** Sorted by round and move, because the clocks of processes differ. Empty if no operator moved the lead. */
const HOLDER_CHANGES = `(
  select coalesce(jsonb_agg(jsonb_build_object('at', ${utcText('c.at')}, 'agentId', c.agent_id,
    'isNamed', c.is_named, 'dueAt', ${utcText('c.due_at')}, 'takenFrom', c.taken_from, 'liftsAll', c.lifts_all) order by c.round, c.move, c.at), '[]')
  from (
    select a.decided_at as at, a.round, a.move, a.agent_id, a.follow_up_due_at as due_at,
      a.decided_by = 'claim' or coalesce(h.target = 'agent', false) as is_named,
      case when a.hand_over_id is null or h.lifts_exclusion or ${takesNothing('a.hand_over_id')} then '[]'
        else to_jsonb(array_remove(array[lag(a.agent_id) over (order by a.round, a.move)], null)) end as taken_from,
      coalesce(h.lifts_exclusion, false) as lifts_all
    from assignments a left join hand_overs h on h.id = a.hand_over_id where a.lead_id = l.id
    union all
    select least(h.requested_at, w.decided_at), w.round, -1, null, null, false,
      case when ${takesNothing('w.hand_over_id')} then '[]'
        else coalesce(w.facts -> 'takenFromAgentIds', w.facts -> 'excludedAgentIds', '[]') end, h.lifts_exclusion
    from lead_waits w join hand_overs h on h.id = w.hand_over_id where w.lead_id = l.id) c
  where exists (select from assignments where lead_id = l.id and hand_over_id is not null)
    or exists (select from lead_waits where lead_id = l.id and hand_over_id is not null))`;

/** The last owner of the newest earlier lead of the contact that an agent has owned. */
const CONTACT_OWNER = `(
  select a.agent_id from leads e join assignments a on a.lead_id = e.id and a.agent_id is not null
  where e.contact_id = l.contact_id and (e.created_at, e.id) < (l.created_at, l.id) and e.erased_at is null
    and not ${wasUndone('a.hand_over_id', 'e.id')}
  order by e.created_at desc, e.id desc, a.round desc, a.move desc limit 1)`;

/** Unlisted languages are only in submissions. Postgres rejects some Unicode escapes, so the read disables them. */
const LANGUAGES = `
  case when l.language_ids = '{}' and (
    select json_typeof(sent) = 'array' from submissions
      cross join lateral (select replace(body::text, '\\u', '\\/u')::json -> 'languages' as sent) as read
    where lead_id = l.id
      and (sent::text ~ '[[,]\\s*"\\s*[^"\\s]' or kind = 'update' and sent::text = 'null')
    order by received_at desc limit 1) then array['${UNREADABLE}'] else l.language_ids end`;

const ENQUIRY_MEMBERS = `
  'lead', ${LEAD_AS_JSON},
  'client', (select client_id from oauth_clients where id = l.client_id),
  'listing', (select jsonb_build_object('purpose', purpose, 'market', market)
              from listings where id = l.listing_id),
  'locations', coalesce((select jsonb_agg(jsonb_build_object('id', id, 'ancestorIds', ancestor_ids) order by id)
                from locations where id in (l.location_id, l.closing_area_id)), '[]'),
  'languages', ${LANGUAGES},
  'rulesetVersion', (select version from routing_activations order by id desc limit 1)`;

const newestAssignment = (condition = '') => `(
  select jsonb_build_object('id', id, 'ruleName', rule_name, 'rulesetVersion', ruleset_version, 'followUp', follow_up,
    'followUpDueAt', follow_up_due_at)
  from assignments where lead_id = l.id ${condition} order by round desc, move desc limit 1)`;

const READ_LOCKED_LEADS = statement<
  { leadIds: readonly string[]; undoneBy: string | null },
  { found: LockedLead }
>('read_locked_leads')`
select jsonb_build_object(${ENQUIRY_MEMBERS},
  'owner', (select ${agentAsJson('g')} from agents g where g.id = l.owner_id),
  'holders', coalesce((select jsonb_agg(distinct holder) from (
                select agent_id::text as holder from assignments
                where lead_id = l.id and round = l.round
                union all
                select jsonb_array_elements_text(facts -> 'excludedAgentIds') from lead_waits
                where lead_id = l.id and round = l.round) held where holder is not null), '[]'),
  'lastHolderId', (select agent_id from assignments where lead_id = l.id and agent_id is not null
                   order by round desc, move desc limit 1),
  'changes', ${HOLDER_CHANGES},
  'contactOwnerId', ${CONTACT_OWNER},
  'waits', coalesce((select jsonb_agg(jsonb_build_object('ruleName', rule_name, 'endsAt', ${utcText('ends_at')},
              'isOfRound', round = l.round) order by rule_name) from (
                select distinct on (rule_name) rule_name, round, ends_at from lead_waits
                where lead_id = l.id and round >= ${FIRST_ROUND_OF_WAIT} order by rule_name, round desc) latest), '[]'),
  'waitDecidedAt', (select ${utcText('max(decided_at)')} from lead_waits where lead_id = l.id),
  'referenceVersion', (select version from reference_state),
  'current', ${newestAssignment()},
  'terms', ${newestAssignment('and (agent_id is not null or rule_name is not null)')}) as found
from leads l where l.id = any (:leadIds::uuid[])`;

export async function readUnlockedLeads(sql: Sql, leadIds: readonly string[]) {
  const rows = await sql.all(READ_UNLOCKED_LEADS, { leadIds });
  return rows.map(({ found }) => found);
}

const READ_UNLOCKED_LEADS = statement<{ leadIds: readonly string[] }, { found: UnlockedLead }>(
  'read_unlocked_leads',
)`
select jsonb_build_object(${ENQUIRY_MEMBERS}) as found from leads l where l.id = any (:leadIds::uuid[])`;

export async function readTakenFrom(
  sql: Sql,
  leadId: string,
  time: Parameters<typeof findTakenFrom>[1],
): Promise<{ name: string; email: string }[]> {
  const lead = await sql.first(READ_HOLDER_CHANGES, { leadId, undoneBy: null });
  const agentIds = findTakenFrom(lead?.changes ?? [], time);
  return sql.all(READ_AGENTS_BY_ID, { agentIds });
}

const READ_HOLDER_CHANGES = statement<
  { leadId: string; undoneBy: string | null },
  { changes: HolderChange[] }
>('read_holder_changes')`
select ${HOLDER_CHANGES} as changes from leads l where l.id = :leadId`;

const READ_AGENTS_BY_ID = statement<{ agentIds: string[] }, { name: string; email: string }>(
  'read_agents_by_id',
)`
select name, email from agents where id = any (:agentIds::uuid[]) order by name`;

export function enquiryFacts(lead: UnlockedLead, time: FactsTime): LeadFacts {
  return routingFacts({ ...lead, holders: [], changes: [], waits: [], contactOwnerId: null }, time);
}

export async function readContactOwner(sql: Sql, leadId: string): Promise<string | undefined> {
  return (await sql.first(READ_CONTACT_OWNER, { leadId }))?.agentId ?? undefined;
}

const READ_CONTACT_OWNER = statement<{ leadId: string }, { agentId: string | null }>(
  'read_contact_owner',
)`
select ${CONTACT_OWNER} as "agentId" from leads l where l.id = :leadId`;

/** `followUpMs` is the follow-up length if no response deadline is active. */
export interface FactsTime {
  now: Date;
  followUpMs: number;
}

export function routingFacts(
  locked: UnlockedLead & Pick<LockedLead, 'holders' | 'changes' | 'waits' | 'contactOwnerId'>,
  time: FactsTime,
): LeadFacts {
  const { lead, client, listing, locations, holders, changes, waits, contactOwnerId } = locked;
  const taken = findTakenFrom(changes, time);
  const text = (column: string) => (lead[column] ?? null) as string | null;
  const texts = (column: string) => (lead[column] ?? []) as string[];
  const amount = (column: string) => (text(column) === null ? null : Number(text(column)));
  return {
    distributionType: lead.distribution_type,
    source: text('source_id'),
    subSource: texts('sub_source_ids'),
    funnel: lead.funnel_id,
    campaign: text('campaign_id'),
    developer: text('developer_id'),
    location: locations,
    language: locked.languages,
    leadType: text('lead_type_id'),
    propertyType: text('property_type_interest_id'),
    budget: { min: amount('budget_min'), max: amount('budget_max') },
    currency: text('currency_id'),
    listingPurpose: listing?.purpose ?? null,
    listingMarket: listing?.market ?? null,
    marketSegment: text('market_segment_id'),
    agentCategory: text('agent_category_id'),
    country: text('locale_country_id'),
    client,
    integrationRef: text('integration_ref'),
    isRepeatLead: lead.is_repeat_lead,
    isAgentEnquiry: lead.is_agent_enquiry,
    marketingType: text('marketing_type_id'),
    eventType: text('event_type_id'),
    excludedAgentIds: holders,
    ...(taken.length > 0 && { takenFromAgentIds: taken }),
    ...(contactOwnerId !== null && { contactOwnerId }),
    ...(waits.length > 0 && {
      waits: waits.map(({ ruleName, endsAt }) => ({ ruleName, endsAt })),
    }),
  };
}
