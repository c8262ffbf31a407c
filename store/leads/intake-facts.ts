import { createHash } from 'node:crypto';
import type { KnownPoints } from '../../domain/leads/agent-enquiry.ts';
import type { CommentId } from '../../domain/leads/comments.ts';
import { type ContactPoint, contactPointKey } from '../../domain/leads/contact-points.ts';
import type { Enquiry, LookupKeys } from '../../domain/leads/enquiry.ts';
import type { Listing } from '../../domain/leads/listing-inheritance.ts';
import type { Quiz } from '../../domain/quiz/answer.ts';
import { type KnownQuestion, planQuiz, type QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { agentAsJson } from '../routing/agents.ts';
import type { Campaign } from './write-lead.ts';
import { LEAD_AS_JSON, type LeadRow } from './lead-json.ts';

/** Retries after a deadlock, or after a unique key that appeared because a lock was missed. */
export const INTAKE_RETRIES = 4;

/** One key per phone, email and ad platform lead. */
export function lockKeys({ adPlatform, contactPoints }: Enquiry): string[] {
  const block = adPlatform ? [`adPlatform:${adPlatform.identity}`] : [];
  return [...contactPoints.map(contactPointKey), ...block];
}

/** Reads no data, because only the next statement sees what was committed meanwhile. */
export async function lockPeople(sql: Sql, keys: readonly string[]): Promise<void> {
  await sql.all(LOCK_PEOPLE, { keys: lockNumbers(keys) });
}

const LOCK_PEOPLE = statement<{ keys: readonly string[] }, { locked: number }>('lock_people')`
select count(pg_advisory_xact_lock(key)) as locked from unnest(:keys::bigint[]) as key`;

/** Skips locks that are not free. Returns for each enquiry if all of its locks were. */
export async function tryLockPeople(sql: Sql, enquiries: readonly (readonly string[])[]) {
  const locks = enquiries.flatMap((keys, n) => lockNumbers(keys).map((key) => ({ n, key })));
  const rows = await sql.all(TRY_LOCK_PEOPLE, {
    ns: locks.map(({ n }) => n),
    keys: locks.map(({ key }) => key),
  });
  const locked = new Map(rows.map((row) => [row.n, row.locked]));
  return enquiries.map((_keys, n) => locked.get(n) === true);
}

const TRY_LOCK_PEOPLE = statement<
  { ns: readonly number[]; keys: readonly string[] },
  { n: number; locked: boolean }
>('try_lock_people')`
select n, bool_and(pg_try_advisory_xact_lock(key)) as locked
from unnest(:ns::int[], :keys::bigint[]) as k (n, key) group by n`;

/** First the people, then the lead: a merging create takes locks in this order. */
export async function lockPeopleAndLead(sql: Sql, keys: readonly string[], leadId: string) {
  await sql.all(LOCK_PEOPLE_AND_LEAD, { keys: lockNumbers(keys), leadId });
}

const LOCK_PEOPLE_AND_LEAD = statement<{ leadId: string; keys: readonly string[] }>(
  'lock_people_and_lead',
)`
select from leads
where id = :leadId and (select count(pg_advisory_xact_lock(key)) from unnest(:keys::bigint[]) as key) >= 0
for no key update`;

/** Ascending, so that two enquiries of one customer cannot deadlock. */
export function lockNumbers(keys: readonly string[]): string[] {
  const numbers = keys.map((key) => createHash('sha256').update(key).digest().readBigInt64BE(0));
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
}

interface IntakeKeys extends LookupKeys {
  contactPoints: readonly ContactPoint[];
  now: Date;
}

export interface KnownContact {
  id: string;
  markedAsAgent: boolean;
  hasAgentLead: boolean;
  known: KnownPoints;
  /** The contact's newest lead with a closed merge window, which a new lead repeats. */
  olderLeadId: string | null;
}

export interface IntakeFacts extends EnquiryFacts {
  contacts: { contactPoint: ContactPoint; holder: KnownContact }[];
  /** Leads with an open merge window, newest first. */
  openLeads: { contactPoint: ContactPoint; holder: { leadId: string } }[];
  isKnownAgent: boolean;
  /** Another transaction has locked an expired merge window, so it could not be closed. */
  hasLockedWindow: boolean;
}

/** One statement for all enquiries, in order. Closes expired merge windows; `locked`: wait or skip if locked. */
export async function readIntakeFacts(
  sql: Sql,
  enquiries: readonly IntakeKeys[],
  { locked }: { locked: 'skip' | 'wait' },
): Promise<IntakeFacts[]> {
  const rows = await sql.all(READ_INTAKE_FACTS[locked], intakeParameters(enquiries));
  return rows.map(({ facts }) => facts);
}

function intakeParameters(enquiries: readonly IntakeKeys[]) {
  const points = enquiries.flatMap(({ contactPoints }, index) =>
    contactPoints.map((point) => ({ ...point, n: index + 1 })),
  );
  return {
    nows: enquiries.map(({ now }) => now),
    listingIds: enquiries.map(({ listingId }) => listingId),
    referenceNos: enquiries.map(({ referenceNo }) => referenceNo),
    platformCampaignIds: enquiries.map(({ platformCampaignId }) => platformCampaignId),
    campaignNameKeys: enquiries.map(({ campaignNameKey }) => campaignNameKey),
    blockIdentities: enquiries.map(({ blockIdentity }) => blockIdentity),
    quizKeys: enquiries.map(({ quizKey }) => quizKey),
    ns: points.map(({ n }) => n),
    kinds: points.map(({ kind }) => kind),
    values: points.map(({ value }) => value),
  };
}

export interface LeadChangeInputs extends EnquiryFacts {
  lead: LeadRow;
  owner: AgentView | null;
  currentListing: Pick<Listing, 'locationId' | 'bedrooms'> | null;
  contactPoints: ContactPoint[];
  known: KnownPoints;
  knownComments: CommentId[];
  isHeard: boolean;
  quizAnswers: unknown[];
}

/** The lead is locked in an earlier statement, so that this one sees its latest state. */
export async function readLeadChangeInputs(
  sql: Sql,
  leadId: string,
  keys: LookupKeys,
  sent: readonly ContactPoint[] = [],
  clientId: string | null = null,
): Promise<LeadChangeInputs | null> {
  const points = { kinds: sent.map(({ kind }) => kind), values: sent.map(({ value }) => value) };
  const values = { ...keys, ...points, leadId, clientId };
  const row = await sql.first(READ_LEAD_CHANGE_INPUTS, values);
  return row && row.found;
}

export interface EnquiryFacts {
  /** Up to two: a reference number of several listings matches none. */
  listings: Listing[];
  campaign: Campaign | null;
  /** Null if no lead has this ad platform id. */
  storedBlock: { leadId: string; block: Record<string, unknown> } | null;
  quizQuestions: KnownQuestion[];
}

const LISTINGS_SQL = `
select jsonb_agg(jsonb_build_object(
  'id', id, 'referenceNo', reference_no, 'purpose', purpose, 'market', market, 'price', price::text,
  'priceOnApplication', price_on_application, 'currency', currency, 'bedrooms', bedrooms,
  'developerId', developer_id, 'locationId', location_id, 'propertyTypeId', property_type_id,
  'agentId', agent_id))
from (select * from listings
      where enabled and (id = e.listing_id or lower(reference_no) = lower(e.reference_no)) limit 2) found`;

/** By platform id, else by name: first a campaign without an id, else the only one with the name. */
const CAMPAIGN_SQL = `
select jsonb_build_object('id', id, 'name', name) from advertising_campaigns c
where platform_campaign_id = e.platform_campaign_id
union all
select jsonb_build_object('id', id, 'name', name) from advertising_campaigns c
where e.platform_campaign_id is null and name_key = e.campaign_name_key
  and (platform_campaign_id is null or not exists (
    select from advertising_campaigns other where other.name_key = c.name_key and other.id <> c.id))`;

const quizQuestions = (quizKey: string) => `
coalesce((select jsonb_agg(jsonb_build_object('question', question, 'options', options) order by position)
          from quiz_questions where quiz_key = ${quizKey}), '[]')`;

const ENQUIRY_ROW_SQL = `(select :listingId::uuid as listing_id, :referenceNo::text as reference_no,
  :platformCampaignId::text as platform_campaign_id, :campaignNameKey::text as campaign_name_key,
  :blockIdentity::text as block_identity, :quizKey::text as quiz_key) e`;

const ENQUIRY_MEMBERS_SQL = `
  'listings', coalesce((${LISTINGS_SQL}), '[]'),
  'campaign', (${CAMPAIGN_SQL}),
  'storedBlock', (select jsonb_build_object('leadId', lead_id, 'block', block) from ad_platform_blocks
                  where ad_platform_lead_id = e.block_identity),
  'quizQuestions', ${quizQuestions('e.quiz_key')}`;

const KNOWN_MEMBERS_SQL = `
  'isKnownAgent', coalesce(bool_or(exists (
    select from known_agents a where a.kind = p.kind and a.value = p.value)), false),
  'contactPoints', coalesce(jsonb_agg(to_jsonb(p)), '[]')`;

/** `offset 0` forces a search for each; the planner would otherwise read the whole index of open leads. */
const intakeFacts = (lock: string) => `with e as materialized (
  select * from unnest(:nows::timestamptz[], :listingIds::uuid[], :referenceNos::text[],
    :platformCampaignIds::text[], :campaignNameKeys::text[], :blockIdentities::text[], :quizKeys::text[])
    with ordinality as e (now, listing_id, reference_no, platform_campaign_id, campaign_name_key,
                          block_identity, quiz_key, n)),
keys as materialized (
  select k.*, e.now from unnest(:ns::int[], :kinds::text[], :values::text[]) as k (n, kind, value) join e using (n)),
held as materialized (
  select k.n, k.kind, k.value, h.lead_id, l.created_at, l.merge_window_ends_at > k.now as is_open
  from keys k
  cross join lateral (
    select lead_id from lead_contact_points where kind = k.kind and value = k.value and mergeable offset 0) h
  cross join lateral (select created_at, merge_window_ends_at from leads where id = h.lead_id offset 0) l),
ended as materialized (
  select held.n, h.* from held
  cross join lateral (
    select lead_id, kind, value from lead_contact_points
    where (lead_id, kind, value) = (held.lead_id, held.kind, held.value) and mergeable
    ${lock}) h
  where not held.is_open),
closed as (
  update lead_contact_points h set mergeable = false from ended
  where (h.lead_id, h.kind, h.value) = (ended.lead_id, ended.kind, ended.value)),
open_leads as (
  select n, jsonb_agg(jsonb_build_object(
    'contactPoint', jsonb_build_object('kind', kind, 'value', value),
    'holder', jsonb_build_object('leadId', lead_id)) order by created_at desc) as found
  from held where is_open group by n),
holders as (
  select k.n, jsonb_agg(jsonb_build_object(
    'contactPoint', jsonb_build_object('kind', k.kind, 'value', k.value),
    'holder', jsonb_build_object(
      'id', c.id,
      'markedAsAgent', c.marked_as_agent,
      'known', (select jsonb_build_object(${KNOWN_MEMBERS_SQL})
                from (select kind, value from contact_points where contact_id = c.id) p),
      'hasAgentLead', exists (select from leads l where l.contact_id = c.id and l.is_agent_enquiry),
      'olderLeadId', (select l.id from leads l where l.contact_id = c.id and l.merge_window_ends_at <= k.now
                      order by l.created_at desc limit 1)))) as found
  from keys k
  cross join lateral (select contact_id from contact_points where kind = k.kind and value = k.value offset 0) h
  cross join lateral (select id, marked_as_agent from contacts where id = h.contact_id offset 0) c
  group by k.n),
agents as (
  select distinct n from keys k
  where exists (select from known_agents a where a.kind = k.kind and a.value = k.value))
select jsonb_build_object(
  'contacts', coalesce((select found from holders where holders.n = e.n), '[]'),
  'openLeads', coalesce((select found from open_leads where open_leads.n = e.n), '[]'),
  'isKnownAgent', exists (select from agents where agents.n = e.n),
  'hasLockedWindow', (select count(*) from held where held.n = e.n and not is_open)
    > (select count(*) from ended where ended.n = e.n),
  ${ENQUIRY_MEMBERS_SQL}) as facts
from e order by e.n`;

type IntakeParameters = ReturnType<typeof intakeParameters>;

const READ_INTAKE_FACTS = {
  skip: statement<IntakeParameters, { facts: IntakeFacts }>(
    'read_intake_facts_skip',
  )`${intakeFacts('for update skip locked')}`,
  wait: statement<IntakeParameters, { facts: IntakeFacts }>(
    'read_intake_facts_wait',
  )`${intakeFacts('for update')}`,
};

interface ChangeInputKeys extends LookupKeys {
  leadId: string;
  clientId: string | null;
  kinds: string[];
  values: string[];
}

const READ_LEAD_CHANGE_INPUTS = statement<ChangeInputKeys, { found: LeadChangeInputs }>(
  'read_lead_change_inputs',
)`
select jsonb_build_object(
  'lead', ${LEAD_AS_JSON},
  'owner', ${agentAsJson('g')},
  'currentListing', (select jsonb_build_object('locationId', location_id, 'bedrooms', bedrooms)
                     from listings where id = l.listing_id),
  'contactPoints', coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'value', value))
                       from lead_contact_points where lead_id = l.id), '[]'),
  'known', (select jsonb_build_object(${KNOWN_MEMBERS_SQL}) from (
    select kind, value from contact_points where contact_id = l.contact_id
    union all select * from unnest(:kinds::text[], :values::text[])) p),
  'knownComments', coalesce((select jsonb_agg(jsonb_build_array(channel, external_id)) from comments
    where lead_id = l.id and external_id is not null and coalesce(client_id = :clientId::uuid, true)), '[]'),
  'isHeard', exists (select from webhook_endpoints
                     where client_id = l.client_id and enabled and 'lead.enquired' = any (events)),
  ${ENQUIRY_MEMBERS_SQL},
  'quizAnswers', coalesce((select jsonb_agg(raw order by position) from quiz_answers
                           where lead_id = l.id and quiz_key = e.quiz_key and superseded_at is null), '[]')) as found
from leads l cross join ${ENQUIRY_ROW_SQL} left join agents g on g.id = l.owner_id where l.id = :leadId`;

/** Locks the quiz only if its catalogue would grow, so that the limits hold for concurrent enquiries. */
export async function planQuizUnderLock(
  sql: Sql,
  quiz: Quiz | null,
  known: readonly KnownQuestion[],
): Promise<QuizPlan> {
  const plan = planQuiz(quiz, known);
  if (plan.questions.length === 0) return plan;
  const { quizKey } = plan;
  await sql.all(LOCK_QUIZ, { quizKey });
  const row = await sql.first(READ_QUIZ_QUESTIONS, { quizKey });
  return planQuiz(quiz, row?.known ?? []);
}

const LOCK_QUIZ = statement<{ quizKey: string | null }, { locked: number }>('lock_quiz')`
select count(pg_advisory_xact_lock(hashtextextended('quiz:' || :quizKey, 0))) as locked`;

const READ_QUIZ_QUESTIONS = statement<{ quizKey: string | null }, { known: KnownQuestion[] }>(
  'read_quiz_questions',
)`
select ${quizQuestions(':quizKey')} as known`;
