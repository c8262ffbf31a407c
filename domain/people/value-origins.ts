import { planQuiz } from '../quiz/quiz-plan.ts';
import { canonicalJson } from '../canonical-json.ts';
import { blockColumns, campaignKey, filterColumns, nameFallbacks } from '../leads/ad-platform.ts';
import { type Enquiry, enquiryFrom, sentText } from '../leads/enquiry.ts';
import {
  type Columns,
  fields,
  isEmptyColumn,
  toCamelCase,
  type Unresolved,
} from '../leads/fields.ts';
import { storedPayload } from './sent-body.ts';

/** A request about the person's lead, as it was sent. */
export interface SentBody {
  submissionId: string;
  kind: 'create' | 'merge' | 'update';
  client: string;
  /** ISO 8601. */
  at: string;
  body: unknown;
}

/** A change of the lead's columns on its timeline, by a request or by an import that resolved earlier values. */
export interface NotedChange {
  kind: 'updated' | 'merged' | 'resolved';
  /** Null for an import. */
  client: string | null;
  /** The time of the request. */
  at: string;
  /** The columns in camel case. */
  fields: readonly string[];
}

export interface LeadHistory {
  /** The create, then the others, oldest first. */
  sent: readonly SentBody[];
  /** Oldest first. */
  changes: readonly NotedChange[];
  /** The requests whose ad-platform block the lead took. */
  blockSubmissionIds: readonly string[];
}

export interface ValueOrigin {
  field: string;
  value: unknown;
  /**
   * The request that brought the value. Null if no request sent it in a field of this name, so that it follows from another
   * field or is a default, and if an import resolved what several requests had sent.
   */
  from: Omit<SentBody, 'kind' | 'body'> | null;
}

/**
 * Lists every value in a lead's columns with the request that brought it. Each phone, e-mail and unresolved field is a value
 * of its own.
 */
export function valueOrigins(
  columns: Readonly<Record<string, unknown>>,
  history: LeadHistory,
): ValueOrigin[] {
  const flags = (columns.intake_unresolved ?? {}) as Unresolved;
  const requests = history.sent.map((each) =>
    readRequest(each, flags, history.blockSubmissionIds.includes(each.submissionId)),
  );
  return Object.entries(columns)
    .filter(([, value]) => !isEmptyColumn(value as Columns[string]))
    .flatMap(([column, value]) =>
      partsOf(column, value).map(([field, part]) => ({
        field,
        value: part,
        from: toOrigin(senderOf({ column, field, part }, requests, history.changes)),
      })),
    );
}

const FLAGS = 'intakeUnresolved.';

function partsOf(column: string, value: unknown): [field: string, part: unknown][] {
  if (column === 'intake_unresolved')
    return Object.entries(value as Unresolved).map(([name, flag]) => [`${FLAGS}${name}`, flag]);
  const parts = isContactPoints(column) ? (value as string[]) : [value];
  return parts.map((part) => [toCamelCase(column), part]);
}

const isContactPoints = (column: string) => column === 'lead_phones' || column === 'lead_emails';

interface Part {
  column: string;
  field: string;
  part: unknown;
}

function senderOf(
  { column, field, part }: Part,
  requests: readonly Request[],
  changes: readonly NotedChange[],
): Request | undefined {
  if (column === 'intake_unresolved') return flagger(field.slice(FLAGS.length), part, requests);
  // A lead keeps each phone and e-mail as it was first sent.
  if (isContactPoints(column))
    return requests.find(({ values }) => [values.get(field)].flat().includes(part));
  const senders = requests.filter((request) => request.columns.has(column));
  return blockColumns.has(column) ? blockWriter(senders) : columnWriter(field, senders, changes);
}

interface Request extends SentBody {
  /** Values by field or by flag of a quiz. Null if an update clears the field, or the quiz answer is readable. */
  values: ReadonlyMap<string, unknown>;
  /** The columns for which the request has a value, in a field of that name or in its ad-platform block. */
  columns: ReadonlySet<string>;
}

/** Only a create sets create-only fields: a merged enquiry is read without them, as an update is. */
function readRequest(sent: SentBody, flags: Unresolved, isBlockTaken: boolean): Request {
  const kind = sent.kind === 'create' ? 'create' : 'update';
  const enquiry = enquiryFrom(storedPayload(sent.body), kind, []);
  const quiz = planQuiz(enquiry.quiz?.read ?? null, []);
  const values = new Map<string, unknown>([
    ...enquiry.values,
    ...quiz.answered.map((name): [string, null] => [name, null]),
    ...Object.entries(quiz.unresolved),
  ]);
  return { ...sent, values, columns: columnsOf(enquiry, flags, isBlockTaken) };
}

function columnsOf(enquiry: Enquiry, flags: Unresolved, isBlockTaken: boolean): Set<string> {
  const block = isBlockTaken ? enquiry.adPlatform : null;
  const ofBlock = block ? { ...filterColumns(block), ...nameFallbacks(block) } : {};
  const isResolved = (name: string) => {
    const value = enquiry.values.get(name) ?? null;
    return value !== null && canonicalJson(value) !== canonicalJson(flags[name]);
  };
  return new Set([
    ...fields.flatMap(({ name, column }) => (column && isResolved(name) ? column : [])),
    ...Object.entries(ofBlock).flatMap(([column, value]) => (value === null ? [] : column)),
    ...(campaignKey(block, sentText(enquiry, 'advertisingCampaign'))
      ? ['advertising_campaign_id']
      : []),
  ]);
}

function toOrigin(request: Request | undefined): ValueOrigin['from'] {
  if (!request) return null;
  const { submissionId, client, at } = request;
  return { submissionId, client, at };
}

/** The create brought a column that no later change names. */
function columnWriter(field: string, senders: readonly Request[], changes: readonly NotedChange[]) {
  const change = changes.findLast((each) => each.fields.includes(field));
  if (!change) return senders.find(({ kind }) => kind === 'create');
  if (change.kind === 'resolved') {
    const [sender, ...others] = senders.filter(({ at }) => at <= change.at);
    return others.length === 0 ? sender : undefined;
  }
  const kindOfChange = change.kind === 'updated' ? 'update' : 'merge';
  return senders.find(
    ({ kind, at, client }) => kind === kindOfChange && at === change.at && client === change.client,
  );
}

/** The timeline does not name these columns: an update's block overwrites them, a merged one fills empty ones. */
function blockWriter(senders: readonly Request[]): Request | undefined {
  return senders.findLast(({ kind }) => kind === 'update') ?? senders[0];
}

/** An update replaces or removes the flags of its fields; a merged enquiry only adds flags. */
function flagger(name: string, flag: unknown, requests: readonly Request[]): Request | undefined {
  const last = requests.findLastIndex(({ kind, values }) => kind === 'update' && values.has(name));
  return requests.slice(Math.max(last, 0)).find(({ values }) => hasAll(values.get(name), flag));
}

/** The flag of a list holds its unresolved entries alone. */
function hasAll(sent: unknown, flag: unknown): boolean {
  if (canonicalJson(sent) === canonicalJson(flag)) return true;
  return Array.isArray(sent) && Array.isArray(flag) && flag.every((each) => sent.includes(each));
}
