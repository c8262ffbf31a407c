import { requireTransition } from '../assignment/transitions.ts';
import type { AssignmentState, MergedEnquiry } from '../assignment/assignment-cause.ts';
import type { LeadColumns } from './column-precedence.ts';
import {
  asList,
  type Columns,
  type ColumnValue,
  emptyColumn,
  fieldByName,
  fields,
  isEmptyColumn,
  mayFill,
  toCamelCase,
  type Unresolved,
} from './fields.ts';
import { acceptsMerges } from './merge.ts';
import type { QuizPlan } from '../quiz/quiz-plan.ts';

/** A merged enquiry fills empty columns. An update overwrites, and its nulls clear (update rules 2 and 4). */
export type LeadChangeKind = 'merge' | 'update';

export interface LeadChangeFacts {
  merged: MergedEnquiry | null;
  current: Columns;
  intakeUnresolved: Unresolved | null;
  assignment: AssignmentState;
  built: LeadColumns;
  quiz: Pick<QuizPlan, 'answers' | 'unresolved' | 'answered'>;
  isBlockStored: boolean;
  newPhones: readonly string[];
  newEmails: readonly string[];
  addedComments: number;
}

export type LeadChange = ReturnType<typeof decideLeadChange>;

export function decideLeadChange(facts: LeadChangeFacts) {
  const change = changedColumns(facts);
  const updatedFields = fieldNamesOf(facts, change);
  const intakeUnresolved = mergedFlags(facts, { ...facts.current, ...change });
  const hasDetails = updatedFields.some((name) => name !== 'comments');
  const details = hasDetails ? ({ kind: 'new_details' } as const) : null;
  const cause = facts.merged ? ({ kind: 'enquired', enquiry: facts.merged } as const) : details;
  const transition = cause && requireTransition(facts.assignment, cause);
  return {
    change,
    /** Sorted, without duplicates (Update response). */
    updatedFields,
    intakeUnresolved,
    cause,
    /** update rule 8 */
    rerouted: cause?.kind === 'new_details' && transition?.status === 'pending',
  };
}

function changedColumns({ current, built, newPhones, newEmails }: LeadChangeFacts): Columns {
  const wanted = {
    ...built.columns,
    lead_phones: [...asList(current.lead_phones), ...newPhones],
    lead_emails: [...asList(current.lead_emails), ...newEmails],
  };
  const isChanged = ([column, value]: [string, ColumnValue]) =>
    !isSame(column, value, current[column] ?? emptyColumn(column));
  return Object.fromEntries(Object.entries(wanted).filter(isChanged));
}

const decimalColumns = new Set(
  fields.filter((field) => field.type === 'decimal').map((field) => field.column),
);

function isSame(column: string, a: ColumnValue, b: ColumnValue): boolean {
  if (decimalColumns.has(column) && a !== null && b !== null)
    return isSameAmount(String(a), String(b));
  return JSON.stringify(a) === JSON.stringify(b);
}

export function isSameAmount(a: string, b: string): boolean {
  const [first, second] = [a, b].map((amount) =>
    amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount,
  );
  return first === second;
}

const reportedColumns = new Set([
  ...fields.flatMap((field) => field.column ?? []),
  'location_id',
  'bedrooms',
]);

function fieldNamesOf(facts: LeadChangeFacts, change: Columns): string[] {
  const columns = Object.keys(change).filter((column) => reportedColumns.has(column));
  const names = new Set(columns.map(toCamelCase));
  if (facts.quiz.answers.length > 0) names.add('quizAnswers');
  if (facts.isBlockStored) names.add('adPlatform');
  if (facts.addedComments > 0) names.add('comments');
  return [...names].sort();
}

/** An update removes flags that it answers. A merged enquiry removes none and adds them only for empty columns. */
function mergedFlags(
  { merged, current, intakeUnresolved, built, quiz }: LeadChangeFacts,
  columns: Columns,
): Unresolved | null {
  const earlier = intakeUnresolved ?? {};
  const fresh = { ...built.unresolved, ...quiz.unresolved };
  const answered = new Set([...built.answered, ...quiz.answered]);
  const isOpen = (name: string, { column } = fieldByName.get(name) ?? { column: '' }) =>
    isEmptyColumn(columns[column ?? '']) && mayFill(current, column ?? '');
  const flags = merged
    ? { ...flagsOf(fresh, isOpen), ...earlier }
    : { ...flagsOf(earlier, (name) => !answered.has(name)), ...fresh };
  return Object.keys(flags).length > 0 ? flags : null;
}

function flagsOf(flags: Unresolved, isKept: (name: string) => boolean): Unresolved {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => isKept(name)));
}

/** True if the lead's run has to read the lead again. */
export function concernsWorkflow(
  { rerouted, updatedFields, intakeUnresolved }: LeadChange,
  lead: Parameters<typeof acceptsMerges>[0] & {
    follow_up_due_at: string | null;
    intake_unresolved: Unresolved | null;
  },
): boolean {
  if (rerouted) return true;
  // A completed run keeps the search attributes that it ended with.
  const hasOpenRun = acceptsMerges(lead) || lead.follow_up_due_at !== null;
  const changesReview = (intakeUnresolved === null) !== (lead.intake_unresolved === null);
  return hasOpenRun && (changesReview || updatedFields.includes('sourceId'));
}

export function workflowEventOf({ rerouted }: Pick<LeadChange, 'rerouted'>) {
  return rerouted ? 'rerouted' : 'updated';
}
