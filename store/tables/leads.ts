import { p } from '@mikro-orm/core';
import { Agent } from './agents.ts';
import { OAuthClient } from './clients.ts';
import { Contact } from './contacts.ts';
import { AdvertisingCampaign, Funnel, FunnelStage, ListEntry } from './lists.ts';
import { addIndexes, addSqlIndexes, addUniqueIndex, table } from './table.ts';

/** Mostly without foreign keys to lists, whose records are disabled and never deleted. */
export const Lead = table('leads', {
  id: p.uuid().primary(),
  contact: p.manyToOne(Contact),
  client: p.manyToOne(OAuthClient),
  createdAt: p.datetime().index('leads_created'),
  updatedAt: p.datetime(),

  leadPhones: p.array().default([]),
  leadEmails: p.array().default([]),
  leadFirstName: p.text().nullable(),
  leadMiddleName: p.text().nullable(),
  leadSecondName: p.text().nullable(),
  leadLastName: p.text().nullable(),
  leadCompanyName: p.text().nullable(),
  leadTypeId: p.uuid().nullable(),
  funnel: p.manyToOne(Funnel),
  stage: p.manyToOne(FunnelStage).nullable(),
  priority: p.text().nullable(),
  marketSegmentId: p.text().nullable(),
  agentCategoryId: p.text().nullable(),
  closingAreaId: p.uuid().nullable(),
  locationId: p.uuid().nullable(),
  propertyTypeInterestId: p.uuid().nullable(),
  bedrooms: p.text().nullable(),
  budgetMin: p.decimal().columnType('numeric').nullable(),
  budgetMax: p.decimal().columnType('numeric').nullable(),
  currencyId: p.text().nullable(),
  initialInquiry: p.text().nullable(),
  languageIds: p.array().default([]),
  listingId: p.uuid().nullable(),
  sourceId: p.uuid().nullable(),
  subSourceIds: p.array().columnType('uuid[]').default([]),
  marketingTypeId: p.uuid().nullable(),
  eventTypeId: p.uuid().nullable(),
  campaignId: p.uuid().nullable(),
  advertisingCampaign: p.manyToOne(AdvertisingCampaign).nullable(),
  developerId: p.uuid().nullable(),
  websiteId: p.uuid().nullable(),
  pageUrl: p.text().nullable(),
  pathLocale: p.text().nullable(),
  gclid: p.text().nullable(),
  fbclid: p.text().nullable(),
  utmSource: p.text().nullable(),
  utmMedium: p.text().nullable(),
  utmCampaign: p.text().nullable(),
  utmTerm: p.text().nullable(),
  utmContent: p.text().nullable(),
  formName: p.text().nullable(),
  adsetName: p.text().nullable(),
  referrer: p.text().nullable(),
  ipAddress: p.text().nullable(),
  userAgent: p.text().nullable(),
  submittedAt: p.datetime().nullable(),
  localeCountryId: p.text().nullable(),
  distributionType: p.text().nullable(),
  integrationRef: p.text().nullable(),
  finalPageName: p.text().nullable(),
  adId: p.text().nullable(),
  adName: p.text().nullable(),
  adgroupId: p.text().nullable(),
  adgroupName: p.text().nullable(),
  formId: p.text().nullable(),
  adFormName: p.text().nullable(),

  isPortal: p.boolean().default(false),
  isRepeatLead: p.boolean().default(false),
  repeatOfLeadId: p.uuid().nullable(),
  isAgentEnquiry: p.boolean().default(false),
  agentEnquiryReason: p.text().nullable(),
  intakeUnresolved: p.json<Record<string, unknown>>().nullable(),
  mergeWindowEndsAt: p.datetime(),
  mergeWindowClosedAt: p.datetime().nullable(),

  assignmentStatus: p.enum(['pending', 'assigned', 'unassigned', 'pool']),
  owner: p.manyToOne(Agent).nullable(),
  pool: p.manyToOne(ListEntry).nullable(),
  isPersonal: p.boolean().default(false),
  round: p.integer().default(1),
  moves: p.integer().default(0),
  assignedAt: p.datetime().nullable(),
  /** The time and rule of the last placement. */
  placedAt: p.datetime().defaultRaw('now()'),
  placedByRule: p.text().nullable(),
  followUpDueAt: p.datetime().nullable(),
  agentResponseSeconds: p.integer().nullable(),
  agentRespondedAt: p.datetime().nullable(),
  eventSequence: p.integer().default(0),
  remindedAt: p.datetime().nullable(),
  /** W3C Trace Context of the last change, if the lead's own client sent it. */
  traceparent: p.text().nullable(),
  erasedAt: p.datetime().nullable(),
  listingSetBy: p.text().nullable(),
  developerSetBy: p.text().nullable(),
});
Lead.meta.checks.push(
  { name: 'leads_check', expression: `(assignment_status = 'assigned') = (owner_id is not null)` },
  { name: 'leads_check1', expression: `(assignment_status = 'pool') = (pool_id is not null)` },
);
Lead.addIndex({
  name: 'leads_contact',
  properties: ['contact', 'createdAt'],
  columns: [{ name: 'contact_id' }, { name: 'created_at', sort: 'DESC' }],
});
addSqlIndexes(Lead, {
  leads_integration_ref: '(lower(integration_ref)) where integration_ref is not null',
  leads_first_name: '(lower(lead_first_name) text_pattern_ops) where lead_first_name is not null',
  leads_last_name: '(lower(lead_last_name) text_pattern_ops) where lead_last_name is not null',
  leads_last_word: `(lower(substring(lead_last_name from '[^ -]+$')) text_pattern_ops) where lead_last_name ~ '[ -]'`,
});
addIndexes(Lead, {
  leads_agent_enquiries: ['contact', 'is_agent_enquiry'],
  leads_pending: ['updatedAt', `assignment_status = 'pending'`],
  leads_open_by_owner: ['owner', 'agent_responded_at is null'],
  leads_clock: ['followUpDueAt', 'follow_up_due_at is not null'],
  leads_open_windows: ['mergeWindowEndsAt', 'merge_window_closed_at is null and not is_portal'],
  leads_pool: ['pool', 'pool_id is not null'],
  // All filters of a list read in the order of `placed_at`.
  leads_placed: [['placedAt', 'id']],
  leads_placed_status: [['assignmentStatus', 'placedAt', 'id']],
  leads_placed_owner: [['owner', 'placedAt', 'id'], 'owner_id is not null'],
  leads_placed_source: [['sourceId', 'placedAt', 'id'], 'source_id is not null'],
  leads_placed_client: [['client', 'placedAt', 'id']],
  leads_placed_rule: [['placedByRule', 'placedAt', 'id'], 'placed_by_rule is not null'],
  leads_unanswered: [
    ['placedAt', 'id'],
    `agent_responded_at is null and assignment_status <> 'unassigned'`,
  ],
  leads_responded: ['agentRespondedAt', 'agent_responded_at is not null'],
  leads_review: [['placedAt', 'id'], 'intake_unresolved is not null'],
});

export const LeadAccess = table('lead_access', {
  lead: p.manyToOne(Lead).primary(),
  client: p.manyToOne(OAuthClient).primary(),
});

export const LeadContactPoint = table('lead_contact_points', {
  lead: p.manyToOne(Lead).primary(),
  kind: p.enum(['phone', 'email']).primary(),
  value: p.text().primary(),
  founding: p.boolean(),
  /** An enquiry with it merges into the lead. */
  mergeable: p.boolean(),
});
addIndexes(LeadContactPoint, { lead_contact_points_value: [['kind', 'value']] });
addSqlIndexes(LeadContactPoint, {
  lead_contact_points_digits: `(reverse(value) text_pattern_ops) where kind = 'phone'`,
});
addUniqueIndex(LeadContactPoint, {
  lead_contact_points_one_open_lead: [['kind', 'value'], 'mergeable and founding'],
});

export const LeadOutbox = table('lead_outbox', {
  id: p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity'),
  leadId: p.uuid().index('lead_outbox_lead'),
  event: p.text(),
  createdAt: p.datetime(),
  attempts: p.integer().default(0),
  nextAttemptAt: p.datetime(),
});
addIndexes(LeadOutbox, { lead_outbox_due_by_event: [['event', 'nextAttemptAt']] });
