import { vacuumStatement } from '../../store/db/roles.ts';
import { ERASED_TABLES, type ErasureView } from '../../store/people/erasures.ts';
import type { FoundContact, Person, Reference } from '../../store/people/read-person.ts';
import { tableOf } from '../table.ts';
import { count, timeText } from '../text.ts';

const contact = { contact: 'contactId', leads: 'leads', first: 'firstAt', last: 'lastAt' } as const;
const personal = { name: 'names', phones: 'phones', emails: 'emails' } as const;
const NO_CONTACT = 'No contact found';

export const contactsText = tableOf<Partial<FoundContact>>(contact, NO_CONTACT);
export const peopleText = tableOf<FoundContact>({ ...personal, ...contact }, NO_CONTACT);

export function sharedText(leadIds: readonly string[]): string {
  if (leadIds.length === 0) return '';
  const leads = count(leadIds.length, 'lead of another contact', 'leads of other contacts');
  return `${leads} with the same phone or email: ${leadIds.join(', ')}.`;
}

export interface FoundView extends Pick<Person, 'contactPoints' | 'leadIds'> {
  text: string;
  names: readonly string[];
  leadsOfOthers: { count: number; leadIds: readonly string[] };
  references: readonly Reference[];
}

const whoText = ({ contactPoints, text }: FoundView) =>
  contactPoints.map(({ value }) => value).join(', ') || text;

const namesText = ({ names }: FoundView) => names.length > 0 && `Sent as ${names.join(', ')}.`;

const linesOf = (...lines: (string | false | null)[]) => lines.filter(Boolean).join('\n');

export function exportedText(view: FoundView & { file: string; leads: number }): string {
  const exported = `Exported the data of ${whoText(view)} to ${view.file}: ${count(view.leads, 'lead')}.`;
  return linesOf(exported, namesText(view), sharedText(view.leadsOfOthers.leadIds));
}

type PlanView = FoundView & {
  rows: Readonly<Record<string, number>>;
  before: readonly ErasureView[];
  isInterrupted: boolean;
};

export function planText(view: PlanView): string {
  const shared = sharedText(view.leadsOfOthers.leadIds);
  const sentences = [
    `This erases the personal data of ${whoText(view)}: ${rowsText(view.rows)}.`,
    namesText(view),
    shared && `It removes only the phone or email from ${shared}`,
    keptText(view),
    view.isInterrupted && 'It resumes an interrupted erasure.',
  ];
  return sentences.filter(Boolean).join(' ');
}

export const plannedText = (view: PlanView) =>
  linesOf(planText(view), 'Nothing was erased: this is a dry run.');

/** An erasure keeps an integrator's handle of a lead, even if it contains a phone or email. */
function keptText({ references }: FoundView) {
  const kept = references.map(
    ({ leadId, integrationRef }) => `integrationRef ${integrationRef} of lead ${leadId}`,
  );
  return kept.length > 0 && `Kept: ${kept.join(', ')}.`;
}

/** Rows of other tables are shown as phones and emails. */
const SHOWN_AS_POINTS = new Set(['contacts', 'contact_points', 'lead_contact_points']);

function rowsText(rows: PlanView['rows']): string {
  const shown = Object.entries(rows).filter(([table]) => !SHOWN_AS_POINTS.has(table));
  const counts = shown.map(([table, number]) =>
    count(number, table.replaceAll('_', ' ').replace('dncr', 'DNCR').replace(/s$/, '')),
  );
  return counts.length > 0 ? counts.join(', ') : 'no leads';
}

export function erasedText(
  view: PlanView & { erasure: ErasureView | null; isVacuumed: boolean | null },
): string {
  const { erasure, before, isVacuumed } = view;
  const earlier = before.filter(({ id }) => id !== erasure?.id);
  return linesOf(
    erasure
      ? `Erased the personal data of ${whoText(view)}: ${recordText(erasure)}`
      : `No personal data of ${whoText(view)} is stored.`,
    keptText(view),
    ...earlier.map(
      (each) => `Erased ${timeText(each.finishedAt)} by ${each.author}: ${recordText(each)}`,
    ),
    erasure !== null && !isVacuumed && VACUUM_HINT,
  );
}

const recordText = ({ leads, id }: ErasureView) =>
  `${count(leads, 'lead')} anonymised. Erasure record: ${id}.`;

const VACUUM_HINT = `Postgres keeps old versions of these rows until it vacuums their tables. To vacuum now, run as their owner:
  ${vacuumStatement(ERASED_TABLES)};`;
