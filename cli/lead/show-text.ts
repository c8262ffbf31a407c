import { fieldLines, sections, tableText, timeText, valueText } from '../text.ts';
import { eventsText } from './events-text.ts';
import type { LeadView } from './show.ts';
import { decidedByText, outcomeText } from './words.ts';

const ROUTING = [
  ...['funnel', 'stage', 'source', 'subSource', 'campaign', 'marketingType', 'eventType'],
  ...['developer', 'location', 'areaOfInterest', 'listing', 'propertyType', 'leadType'],
  ...['budgetMin', 'budgetMax', 'currency', 'language', 'country', 'marketSegment'],
  ...['agentCategory', 'distributionType', 'integrationRef'],
];

export function leadText(lead: LeadView, now: Date): string {
  return sections([
    [`Lead ${lead.id}`, standingText(lead, now)],
    ['What routing knows', fieldLines(ROUTING.map((name) => [name, lead.routing[name]]))],
    ...personParts(lead),
    ['Assignments', assignmentsText(lead)],
    ['Timeline', timelineText(lead)],
    ['Events', eventsText(lead.events)],
  ]);
}

function standingText(lead: LeadView, now: Date): string {
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

function personParts({ person }: LeadView): [string, string][] {
  if (!person) return [];
  const { firstName, middleName, lastName, intakeUnresolved, phones, emails } = person;
  return [
    [
      'The customer',
      fieldLines([
        ['name', [firstName, middleName, lastName].filter((part) => part !== null).join(' ')],
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
      decidedByText(each.decidedBy),
      outcomeText(each),
      each.ruleName,
      each.rulesetVersion,
    ]),
  );
}

function timelineText({ timeline }: LeadView): string {
  return timeline.map(({ at, text }) => `${timeText(at)}  ${valueText(text)}`).join('\n');
}
