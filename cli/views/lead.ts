import type { AssignmentEntry } from '../../store/assignment/read-assignment.ts';
import type {
  LeadEventDelivery,
  LeadEventEntry,
  LeadOverview,
  LeadPerson,
  MergedEnquiry,
  TimelineNote,
} from '../../store/leads/read-lead.ts';
import type { FoundLead, FoundPerson, ListedLead } from '../../store/leads/find-leads.ts';
import type { OperatorNote } from '../../store/assignment/hand-overs.ts';
import { tableOf } from '../table.ts';
import {
  ageText,
  clockTime,
  distanceText,
  durationText,
  fieldLines,
  timeText,
  valueText,
} from '../text.ts';
import { authorText, outcomeText, reasonText } from './explanation.ts';

interface LeadView extends LeadOverview {
  takenFrom: { name: string; email: string }[];
  person?: LeadPerson;
  assignments: Omit<AssignmentEntry, 'explanation'>[];
  timeline: TimelineNote[];
  mergedEnquiries: MergedEnquiry[];
  notes: OperatorNote[];
  events: LeadEventEntry[];
}

const ROUTING_FIELDS = [
  'funnel',
  'stage',
  'source',
  'subSource',
  'campaign',
  'marketingType',
  'eventType',
  'developer',
  'location',
  'areaOfInterest',
  'listing',
  'propertyType',
  'leadType',
  'budgetMin',
  'budgetMax',
  'currency',
  'language',
  'country',
  'marketSegment',
  'agentCategory',
  'distributionType',
  'integrationRef',
] as const;

export function leadText(lead: LeadView, now: Date): string {
  const sections = [
    [`Lead ${lead.id}`, stateText(lead, now)],
    ['What routing knows', fieldLines(ROUTING_FIELDS.map((name) => [name, lead.routing[name]]))],
    ...(lead.person ? [['The customer', personText(lead.person)]] : []),
    ['Assignments', assignmentsText(lead.assignments)],
    ...(lead.mergedEnquiries.length > 0
      ? [['Merged enquiries', datedLines(lead.mergedEnquiries, enquiryText)]]
      : []),
    ['Timeline', datedLines(lead.timeline, ({ kind, text }) => reasonText(noteText(kind, text)))],
    ...(lead.notes.length > 0
      ? [['Notes', datedLines(lead.notes, ({ author, text }) => `${author}: ${text}`)]]
      : []),
    ['Events', eventsText(lead.events)],
  ];
  return sections.map(([heading, text]) => `${heading}\n${text}`).join('\n\n');
}

function stateText(lead: LeadView, now: Date): string {
  const { flags } = lead;
  const takenFrom = lead.takenFrom.map(({ name, email }) => `${name} (${email})`).join(', ');
  const fields = fieldLines([
    ['state', lead.status],
    ['holder', lead.holder && `${lead.holder.name} (${lead.holder.email})`],
    ['pool', lead.pool],
    [
      'taken from',
      takenFrom &&
        `${takenFrom}: rules do not give it back (leadctl lead reroute --no-exclusion does)`,
    ],
    ['personal', lead.isPersonal || null],
    ['round', lead.moves > 0 ? `${lead.round}, move ${lead.moves}` : lead.round],
    ['assigned at', lead.assignedAt],
    ['waits', lead.waitDueAt && `for an agent, until ${timeText(lead.waitDueAt)}`],
    ['clock', clockText(lead, now)],
    ...responseFields(lead),
    ['merge window', windowText(lead.mergeWindow, now)],
    ['repeat of', flags.isRepeatLead ? (flags.repeatOfLeadId ?? 'an earlier lead') : null],
    ['agent enquiry', flags.isAgentEnquiry ? (flags.agentEnquiryReason ?? true) : null],
    ['to review', flags.unresolvedFields],
    ['client', `${lead.client.name} (${lead.client.clientId})`],
    ['created', lead.createdAt],
    ['updated', lead.updatedAt],
    ['customer', lead.erasedAt && `erased on ${timeText(lead.erasedAt)}`],
    ['outbox', lead.waitingInOutbox > 0 ? `${lead.waitingInOutbox} waiting for Temporal` : null],
  ]);
  return fields;
}

/** Has the reported time and the time that `report response` counts. */
function responseFields(lead: LeadView): [string, string][] {
  const { holder, respondedAt, responseSeconds, responseInSeconds } = lead;
  if (responseSeconds === null) return [];
  const reported = `${durationText(responseSeconds)} from the enquiry to the response, as reported`;
  if (responseInSeconds !== null)
    return [
      ['response', reported],
      ['response in', `${durationText(responseInSeconds)} from the assignment to the response`],
    ];
  const before = holder ? `of an earlier agent, on ${timeText(respondedAt)}: ` : '';
  return [['response', `${before}${reported}`]];
}

function clockText({ followUpDueAt, followUpClock }: LeadView, now: Date): string | null {
  if (!followUpDueAt) return null;
  const minutes = Math.round((followUpDueAt.getTime() - now.getTime()) / 60_000);
  const distance = minutes >= 0 ? `in ${minutes} min` : `${-minutes} min ago`;
  const counted = followUpClock === 'working' ? ', counting working time only' : '';
  return `runs out ${timeText(followUpDueAt)}, ${distance}${counted}`;
}

function windowText({ endsAt, closedAt, isPortal }: LeadView['mergeWindow'], now: Date): string {
  if (isPortal) return 'none: a portal enquiry never merges';
  if (closedAt) return `closed ${timeText(closedAt)}`;
  return endsAt > now ? `open until ${timeText(endsAt)}` : `ended ${timeText(endsAt)}`;
}

function personText(person: LeadPerson): string {
  const { firstName, middleName, lastName, intakeUnresolved } = person;
  const fields = fieldLines([
    ['name', [firstName, middleName, lastName].filter((name) => name !== null).join(' ')],
    ['company', person.companyName],
    ['phones', person.phones],
    ['e-mails', person.emails],
    ['message', person.message],
    ['not understood', intakeUnresolved && JSON.stringify(intakeUnresolved)],
    ['contact', person.contactId],
  ]);
  return fields;
}

const assignmentsText = tableOf<LeadView['assignments'][number]>(
  {
    round: 'round',
    move: 'move',
    decided: 'decidedAt',
    by: ({ decidedBy, handOver }) => (handOver ? authorText(handOver) : DECIDED_BY[decidedBy]),
    outcome: outcomeText,
    rule: 'ruleName',
    ruleset: 'rulesetVersion',
  },
  'Nothing was decided yet.',
);

function datedLines<Entry extends { at: Date }>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
) {
  return entries.map((each) => `${timeText(each.at)}  ${textOf(each)}`).join('\n');
}

function enquiryText({ at: _at, ...sent }: MergedEnquiry): string {
  const values = Object.entries(sent).map(([name, value]) => [name, valueText(value)] as const);
  return values.flatMap(([name, text]) => (text ? `${name} ${text}` : [])).join('; ');
}

function noteText(kind: string, text: string): string {
  if (kind !== 'response') return text;
  return text.replace(
    /(?<= after )(\d+) s\.$/,
    (_, seconds) => `${durationText(Number(seconds))}.`,
  );
}

const DECIDED_BY: Record<AssignmentEntry['decidedBy'], string> = {
  rules: 'rules',
  listing: 'listing’s agent',
  assigned_by: 'assignedBy',
  follow_up: 'follow-up',
  claim: 'claim',
  operator: 'operator',
};

export function eventsText(events: readonly LeadEventEntry[]): string {
  return eventsTable(
    events.flatMap((event) =>
      event.deliveries.length === 0
        ? [{ event }]
        : event.deliveries.map((delivery) => ({ event, delivery })),
    ),
  );
}

const eventsTable = tableOf<{ event: LeadEventEntry; delivery?: LeadEventDelivery }>(
  {
    '#': ({ event }) => event.sequence,
    event: ({ event }) => event.type,
    at: ({ event }) => event.createdAt,
    endpoint: ({ delivery }) => (delivery ? delivery.url : 'nobody listens'),
    status: ({ delivery }) => delivery?.status,
    tries: ({ delivery }) => delivery?.attempts,
    'last answer': ({ delivery }) => delivery?.lastStatusCode ?? delivery?.lastError,
    'next try': ({ delivery }) =>
      delivery?.status === 'pending' && delivery.nextAttemptAt
        ? clockTime(delivery.nextAttemptAt)
        : null,
  },
  'No event yet.',
);

/** Commands accept the beginning of an id. */
const shortId = ({ id }: { id: string }) => id.slice(0, 8);

const foundColumns = {
  lead: shortId,
  state: 'status',
  owner: ({ agent, pool }: FoundLead) => agent?.name ?? pool,
  source: 'source',
  created: 'createdAt',
  client: 'client',
} as const;
const NONE_FOUND = 'No lead has this id, phone, e-mail, name or reference.';

export const foundLeadsText = tableOf<FoundLead>(foundColumns, NONE_FOUND);

export const foundPersonsText = tableOf<FoundLead & FoundPerson>(
  {
    ...foundColumns,
    name: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
    phones: 'phones',
    'e-mails': 'emails',
  },
  NONE_FOUND,
);

export function leadsText(leads: readonly ListedLead[], now: Date): string {
  return tableOf<ListedLead>({
    lead: shortId,
    status: 'status',
    age: ({ since }) => ageText(since, now),
    owner: ({ holder, pool }) => holder?.name ?? pool,
    deadline: (lead) => deadlineText(lead, now),
    'to review': 'unresolvedFields',
    client: 'client',
  })(leads);
}

function deadlineText(lead: ListedLead, now: Date): string {
  const { respondedAt, followUpDueAt, waitDueAt, holder, since } = lead;
  if (respondedAt) return holder && respondedAt < since ? 'responded, before' : 'responded';
  if (waitDueAt) return `queued, ${distanceText(waitDueAt, now)}`;
  return followUpDueAt ? distanceText(followUpDueAt, now) : '';
}
