import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { ErasureView } from '../../store/people/erasures.ts';
import type { Person } from '../../store/people/find-person.ts';
import { VACUUM_SQL } from '../../store/people/vacuum.ts';
import { count, timeText } from '../text.ts';

/** How many rows with data of the person each table has. */
type RowCounts = Readonly<Record<string, number>>;

interface Exported {
  file: string;
  contactPoints: readonly ContactPoint[];
  leads: number;
}

export function exportedText({ file, contactPoints, leads }: Exported): string {
  return `All that is kept of ${listText(contactPoints)}, ${count(leads, 'lead')} among it, is in ${file}.`;
}

interface Plan {
  person: Person;
  rows: RowCounts;
  isInterrupted: boolean;
}

/** What an erasure is about to do. */
export function planText({ person, rows, isInterrupted }: Plan): string {
  const shared = person.leads.filter(({ isShared }) => isShared).length;
  const also =
    shared > 0
      ? ` ${count(shared, 'lead')} of other contacts with the same phone or e-mail: too.`
      : '';
  const again = isInterrupted ? ' An erasure of it was interrupted and goes on.' : '';
  return `This erases all that is kept of ${listText(person.contactPoints)}: ${rowsText(rows)}.${also}${again}`;
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

const listText = (points: readonly ContactPoint[]) => points.map(({ value }) => value).join(', ');

interface Erased {
  contactPoints: readonly ContactPoint[];
  /** Null where nothing was kept. */
  erasure: ErasureView | null;
  /** Earlier ones of the same person. */
  before: readonly ErasureView[];
  isVacuumed: boolean | null;
}

export function erasedText({ contactPoints, erasure, before, isVacuumed }: Erased): string {
  const named = listText(contactPoints);
  if (!erasure) return [`Nothing is kept of ${named}.`, ...before.map(beforeText)].join('\n');
  const numbers = count(erasure.leads, 'lead stays as a number', 'leads stay as numbers');
  const done = `Nothing of ${named} is kept any more; ${numbers}. Proof: ${erasure.id}.`;
  return isVacuumed ? done : `${done}\n${VACUUM_HINT}`;
}

function beforeText({ finishedAt, author, leads, id }: ErasureView): string {
  return `Erased ${timeText(finishedAt)} by ${author}: ${count(leads, 'lead')}. Proof: ${id}.`;
}

const VACUUM_HINT = `Postgres keeps old versions of these rows until it vacuums their tables. To have it done now, as their owner:
  ${VACUUM_SQL};`;
