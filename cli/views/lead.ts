import type { AssignmentEntry } from '../../store/assignment/read-assignment.ts';
import type { LeadEventDelivery, LeadEventEntry } from '../../store/leads/lead-events.ts';
import type { LeadOverview, LeadPerson, TimelineNote } from '../../store/leads/lead-overview.ts';
import type { ListedLead } from '../../store/leads/list-leads.ts';
import type { ClaimOutcome } from '../../workflows/contracts/lead-lifecycle.ts';
import { fieldLines, sections, tableText, timeText, valueText } from '../text.ts';
import { outcomeText } from './explanation.ts';

export interface LeadView extends LeadOverview {
  person?: LeadPerson;
  assignments: Omit<AssignmentEntry, 'explanation'>[];
  timeline: TimelineNote[];
  events: LeadEventEntry[];
}

const ROUTING_FIELDS = [
  ...['funnel', 'stage', 'source', 'subSource', 'campaign', 'marketingType', 'eventType'],
  ...['developer', 'location', 'areaOfInterest', 'listing', 'propertyType', 'leadType'],
  ...['budgetMin', 'budgetMax', 'currency', 'language', 'country', 'marketSegment'],
  ...['agentCategory', 'distributionType', 'integrationRef'],
];

export function leadText(lead: LeadView, now: Date): string {
  return sections([
    [`Lead ${lead.id}`, stateText(lead, now)],
    ['What routing knows', fieldLines(ROUTING_FIELDS.map((name) => [name, lead.routing[name]]))],
    ...personSections(lead),
    ['Assignments', assignmentsText(lead)],
    ['Timeline', timelineText(lead)],
    ['Events', eventsText(lead.events)],
  ]);
}

function stateText(lead: LeadView, now: Date): string {
  const { flags } = lead;
  return fieldLines([
    ['state', lead.status],
    ['holder', lead.holder && `${lead.holder.name} (${lead.holder.email})`],
    ['pool', lead.pool],
    ['personal', lead.isPersonal || null],
    ['round', lead.moves > 0 ? `${lead.round}, move ${lead.moves}` : lead.round],
    ['assigned at', lead.assignedAt],
    ['clock', clockText(lead, now)],
    ['response', lead.responseSeconds === null ? null : `after ${lead.responseSeconds} s`],
    ['merge window', windowText(lead.mergeWindow, now)],
    ['repeat of', flags.isRepeatLead ? (flags.repeatOfLeadId ?? 'an earlier lead') : null],
    ['agent enquiry', flags.isAgentEnquiry ? (flags.agentEnquiryReason ?? true) : null],
    ['to review', flags.unresolvedFields],
    ['client', `${lead.client.name} (${lead.client.clientId})`],
    ['created', lead.createdAt],
    ['updated', lead.updatedAt],
    ['outbox', lead.waitingInOutbox > 0 ? `${lead.waitingInOutbox} waiting for Temporal` : null],
  ]);
}

function clockText({ followUpDueAt }: LeadView, now: Date): string | null {
  if (!followUpDueAt) return null;
  const minutes = Math.round((followUpDueAt.getTime() - now.getTime()) / 60_000);
  const distance = minutes >= 0 ? `in ${minutes} min` : `${-minutes} min ago`;
  return `runs out ${timeText(followUpDueAt)}, ${distance}`;
}

function windowText({ endsAt, closedAt, isPortal }: LeadView['mergeWindow'], now: Date): string {
  if (isPortal) return 'none: a portal enquiry never merges';
  if (closedAt) return `closed ${timeText(closedAt)}`;
  return endsAt > now ? `open until ${timeText(endsAt)}` : `ended ${timeText(endsAt)}`;
}

function personSections({ person }: LeadView): [string, string][] {
  if (!person) return [];
  const { firstName, middleName, lastName, intakeUnresolved, phones, emails } = person;
  return [
    [
      'The customer',
      fieldLines([
        ['name', [firstName, middleName, lastName].filter((name) => name !== null).join(' ')],
        ['company', person.companyName],
        ['phones', phones],
        ['e-mails', emails],
        ['message', person.message],
        ['not understood', intakeUnresolved && JSON.stringify(intakeUnresolved)],
        ['contact', person.contactId],
      ]),
    ],
  ];
}

function assignmentsText({ assignments }: LeadView): string {
  if (assignments.length === 0) return 'Nothing was decided yet.';
  return tableText(
    ['round', 'move', 'decided', 'by', 'outcome', 'rule', 'ruleset'],
    assignments.map((each) => [
      each.round,
      each.move,
      timeText(each.decidedAt),
      DECIDED_BY[each.decidedBy],
      outcomeText(each),
      each.ruleName,
      each.rulesetVersion,
    ]),
  );
}

function timelineText({ timeline }: LeadView): string {
  return timeline.map(({ at, text }) => `${timeText(at)}  ${valueText(text)}`).join('\n');
}

const DECIDED_BY: Record<AssignmentEntry['decidedBy'], string> = {
  rules: 'rules',
  listing: 'listing’s agent',
  assigned_by: 'assignedBy',
  follow_up: 'follow-up',
  claim: 'claim',
};

export function eventsText(events: readonly LeadEventEntry[]): string {
  if (events.length === 0) return 'No event yet.';
  return tableText(
    ['#', 'event', 'at', 'endpoint', 'status', 'tries', 'last answer', 'next try'],
    events.flatMap(eventRows),
  );
}

function eventRows({ sequence, type, createdAt, deliveries }: LeadEventEntry): unknown[][] {
  const event = [sequence, type, timeText(createdAt)];
  if (deliveries.length === 0) return [[...event, 'nobody listens', '', '', '', '']];
  return deliveries.map((delivery) => [...event, ...deliveryCells(delivery)]);
}

function deliveryCells(delivery: LeadEventDelivery): unknown[] {
  const { url, status, attempts, lastStatusCode, lastError, nextAttemptAt } = delivery;
  const next = status === 'pending' ? timeText(nextAttemptAt) : '';
  return [url, status, attempts, lastStatusCode ?? lastError, next];
}

export function leadsText(leads: readonly ListedLead[]): string {
  return tableText(
    ['lead', 'state', 'since', 'holder or pool', 'response', 'to review', 'client'],
    leads.map((lead) => [
      lead.id,
      lead.status,
      timeText(lead.since),
      lead.holder?.email ?? lead.pool,
      responseText(lead),
      valueText(lead.unresolvedFields),
      lead.client,
    ]),
  );
}

function responseText({ respondedAt, followUpDueAt }: ListedLead): string {
  if (respondedAt) return `recorded ${timeText(respondedAt)}`;
  return followUpDueAt ? `until ${timeText(followUpDueAt)}` : '';
}

type Refusal = Extract<ClaimOutcome, { claimed: false }>;

/** Why an agent could not claim a lead. */
export function refusalText(
  { reason, status }: Refusal,
  { leadId, agent, holder }: { leadId: string; agent: string; holder: string },
): string {
  if (reason === 'unknown_lead') return `There is no lead ${leadId}.`;
  const reasons: Record<typeof reason, string> = {
    not_in_pool: `it is ${status}, not in a pool`,
    held_by_another: `${holder} holds it already`,
    unknown_agent: 'the agent is not there any more',
    agent_not_active: `${agent} is not active`,
  };
  return `Lead ${leadId} cannot be claimed: ${reasons[reason]}.`;
}
