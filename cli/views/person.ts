import type { SentName } from '../../domain/people/sent-body.ts';
import { type ErasureView, VACUUM_SQL } from '../../store/people/erasures.ts';
import type { FoundContact, Person, PersonLead, SentText } from '../../store/people/find-person.ts';
import type { Scope } from '../../store/people/person-scope.ts';
import { tableOf } from '../table.ts';
import { count, cutNote, timeText } from '../text.ts';

const contactColumns = {
  contact: 'contactId',
  leads: 'leads',
  first: 'firstAt',
  last: 'lastAt',
} as const;
const NO_PERSON = 'Nobody has this name, phone or e-mail.';

export const contactsText = tableOf<FoundContact>(contactColumns, NO_PERSON);

export const peopleText = tableOf<FoundContact>(
  { name: 'names', phones: 'phones', 'e-mails': 'emails', ...contactColumns },
  NO_PERSON,
);

/** How many rows with data of the person each table has. */
type RowCounts = Readonly<Record<string, number>>;

interface Found {
  text: string;
  person: Person;
  ofOthers: readonly PersonLead[];
  names: readonly SentName[];
  near: readonly SentText[];
  references: readonly SentText[];
  scope: Scope;
}

export function foundView(found: Found, limit: number) {
  const { text, person, ofOthers, names, near, references, scope } = found;
  const shared = person.leads.filter(({ isShared }) => isShared);
  return {
    text,
    contactPoints: person.contactPoints,
    names,
    leadIds: person.leads.map(({ id }) => id),
    /** Leads of other contacts: taken with `--shared`, else left. */
    leadsOfOthers: {
      count: shared.length + ofOthers.length,
      leadIds: [...shared, ...ofOthers].map(({ id }) => id),
      included: scope.shared,
    },
    /** Texts that may be the same phone or e-mail, on leads that are not taken. */
    near: near.slice(0, limit).map(({ leadId, text: sent }) => ({ leadId, sent })),
    nearTotal: near.length,
    references: references.map(({ leadId, text: integrationRef }) => ({ leadId, integrationRef })),
    isLimited: scope.leads.length > 0,
  };
}

type FoundView = ReturnType<typeof foundView>;

export function exportedText(view: FoundView & { file: string; leads: number }): string {
  const { file, leads } = view;
  const shown = `All that is kept of ${whoText(view)}, ${count(leads, 'lead')} among it, is in ${file}.`;
  return [shown, namesText(view), othersText(view, 'out'), ...nearLines(view)]
    .filter(Boolean)
    .join('\n');
}

type PlanView = FoundView & {
  rows: RowCounts;
  before: readonly ErasureView[];
  isInterrupted: boolean;
};

/** What an erasure is about to do, with what it leaves before. */
export function planLines(view: PlanView): string[] {
  const what = view.isLimited ? 'what these leads hold' : 'all that is kept';
  const plan = [
    `This erases ${what} of ${whoText(view)}: ${rowsText(view.rows)}.`,
    namesText(view),
    othersText(view, 'stay'),
    view.references.length > 0 && `Stays: ${referencesText(view)}.`,
    view.isInterrupted && 'An erasure of it was interrupted and goes on.',
  ];
  return [...nearLines(view), plan.filter(Boolean).join(' ')];
}

export function plannedText(view: PlanView): string {
  return [...planLines(view), 'Nothing was erased: this is a dry run.'].join('\n');
}

const whoText = ({ contactPoints, text }: Pick<FoundView, 'contactPoints' | 'text'>) =>
  contactPoints.map(({ value }) => value).join(', ') || text;

/** Where requests had several names, several people may share a phone: each name with its leads, for `--lead`. */
function namesText({ names }: Pick<FoundView, 'names'>): string {
  if (names.length === 0) return '';
  if (names.length === 1) return `Sent as ${names[0]?.name}.`;
  const [lead, ...others] = new Set(names.flatMap(({ leadIds }) => leadIds));
  if (others.length === 0)
    return `Sent under ${names.length} names, all of lead ${lead}: ${names.map(({ name }) => name).join(', ')}.`;
  const each = names.map(({ name, leadIds }) => `${name} (${leadsText(leadIds)})`);
  return `Sent under ${names.length} names: ${each.join(', ')}; --lead ID takes one lead only.`;
}

const leadsText = (leadIds: readonly string[]) =>
  `${leadIds.length === 1 ? 'lead' : 'leads'} ${leadIds.join(', ')}`;

/** What happens to leads of other contacts without `--shared`; after an erasure it finds them no more. */
const LEFT = {
  stay: ['stays, without it', 'stay, without it', 'erases'],
  stayed: ['stays, without it', 'stay, without it', null],
  out: ['is left out', 'are left out', 'takes'],
} as const;

function othersText(
  { leadsOfOthers }: Pick<FoundView, 'leadsOfOthers'>,
  otherwise: keyof typeof LEFT,
): string {
  const { count: leads, leadIds, included } = leadsOfOthers;
  if (leads === 0) return '';
  const isOne = leads === 1;
  const named = isOne
    ? '1 lead of another contact names the same phone or e-mail'
    : `${count(leads, 'lead')} of other contacts name the same phone or e-mail`;
  const [one, many, verb] = LEFT[otherwise];
  const hint = verb ? `; --shared ${verb} ${isOne ? 'it' : 'them'}` : '';
  const what = included ? `${isOne ? 'goes' : 'go'} too` : `${isOne ? one : many}${hint}`;
  return `${named} and ${what}: ${leadIds.join(', ')}.`;
}

/** Those of an `integrationRef` that contains the phone or email: an erasure keeps it. */
function referencesText({ references }: FoundView): string {
  const leads = references.map(
    ({ leadId, integrationRef }) => `${integrationRef} of lead ${leadId}`,
  );
  return leads.length > 0 ? `integrationRef ${leads.join(', ')}` : '';
}

function nearLines({ near, nearTotal }: Pick<FoundView, 'near' | 'nearTotal'>): string[] {
  if (near.length === 0) return [];
  const lines = near.map(({ sent, leadId }) => `  ${sent}  lead ${leadId}`);
  const cut = cutNote({ rows: near, total: nearTotal }, 'text');
  const cutLines = cut === null ? [] : [`  ${cut}`];
  return ['Similar texts; take one of these leads with --lead ID:', ...lines, ...cutLines];
}

/** Rows of other tables are what is shown anyway: the person's phones and e-mails. */
const SHOWN_AS_POINTS = new Set(['contacts', 'contact_points', 'lead_contact_points']);

function rowsText(rows: RowCounts): string {
  const shown = Object.entries(rows).filter(([table]) => !SHOWN_AS_POINTS.has(table));
  const counts = shown.map(([table, number]) =>
    count(number, table.replaceAll('_', ' ').replace('dncr', 'DNCR').replace(/s$/, '')),
  );
  return counts.length > 0 ? counts.join(', ') : 'nothing more';
}

type ErasedView = PlanView & {
  /** Null where nothing was kept. */
  erasure: ErasureView | null;
  isVacuumed: boolean | null;
};

export function erasedText(view: ErasedView): string {
  const { erasure, before, isVacuumed, isLimited } = view;
  const earlier = before.filter(({ id }) => id !== erasure?.id).map(beforeText);
  const named = whoText(view);
  const but = view.references.length > 0 ? `, but ${referencesText(view)}` : '';
  if (!erasure) {
    const itself = view.nearTotal > 0 ? ' itself' : '';
    const nothing = isLimited ? 'These leads hold nothing of' : 'Nothing is kept of';
    return [`${nothing} ${named}${itself}${but}.`, ...earlier, ...nearLines(view)].join('\n');
  }
  const numbers = count(erasure.leads, 'lead stays as a number', 'leads stay as numbers');
  const done = isLimited
    ? `What these leads held of ${named} is erased${but}; ${numbers}. Proof: ${erasure.id}.`
    : `${keptText(view)}; ${numbers}. Proof: ${erasure.id}.`;
  const others = othersText(view, 'stayed');
  const hint = isVacuumed ? '' : VACUUM_HINT;
  return [done, others, ...nearLines(view), ...earlier, hint].filter(Boolean).join('\n');
}

/** What nobody took stays: a similar text may be the same person's or another's. */
function keptText(view: ErasedView): string {
  const similar = view.nearTotal > 0 && 'similar texts of other leads';
  const left = [similar, referencesText(view)].filter(Boolean).join(' and ');
  if (left === '') return `Nothing of ${whoText(view)} is kept any more`;
  return `Nothing else of ${whoText(view)} is kept any more, but ${left}`;
}

function beforeText({ finishedAt, author, leads, id }: ErasureView): string {
  return `Erased ${timeText(finishedAt)} by ${author}: ${count(leads, 'lead')}. Proof: ${id}.`;
}

const VACUUM_HINT = `Postgres keeps old versions of these rows until it vacuums their tables. To have it done now, as their owner:
  ${VACUUM_SQL};`;
