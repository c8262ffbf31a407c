import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';

/** A history as `historyToJSON` writes it and `historyFromJSON` reads it. */
export interface HistoryJson {
  events: HistoryEventJson[];
}
export interface HistoryEventJson {
  eventId: string;
  eventType: string;
}

/** Processes, hosts, builds, ids of requests, addresses for callbacks, and what people typed. No replay reads them. */
const NOT_NEEDED = new Set([
  'identity',
  'principal',
  'requestId',
  'attachedRequestId',
  'taskId',
  'reason',
  'links',
  'workerVersion',
  'sourceVersionStamp',
  'binaryChecksum',
  'prevAutoResetPoints',
  'completionCallbacks',
  'attachedCompletionCallbacks',
  'meteringMetadata',
]);

const FAILURES = new Set(['failure', 'lastFailure', 'continuedFailure', 'cause']);

/** In results of the service's activities: texts that name hosts or quote responses. */
const OUTSIDE_TEXTS = new Set(['detail', 'failureReason', 'host', 'answer']);

/**
 * A history without what no replay needs and nobody else should read: hosts and processes, messages of failures,
 * and the slugs of agents, which are made of their names. Commands depend on none of it. What stays: which SDK made
 * it (`sdkMetadata`), the deployment version, summaries, names of records.
 */
export function cleanHistory(history: History, agentIds: AgentIds = new Map()): HistoryJson {
  const json = historyToJSON(history);
  const replaceSlugs = createSlugReplacer(JSON.parse(json), agentIds);
  return JSON.parse(json, (key, value: unknown) => {
    if (NOT_NEEDED.has(key) && !isPayload(value)) return undefined;
    if (FAILURES.has(key)) return withoutMessage(value);
    if (isStickyQueue(value)) return { ...value, name: 'sticky' };
    if (!isPayload(value)) return value;
    const isSlug = key === 'Agent';
    return mapPayload(value, (field, content) => {
      if (OUTSIDE_TEXTS.has(field) && typeof content === 'string') return '';
      return replaceSlugs(isSlug ? 'agentSlug' : field, content);
    });
  }) as HistoryJson;
}

const FREE_TEXTS = new Set(['message', 'stackTrace', 'encodedAttributes']);

/** `cause` is a failure's failure, or the name of a reason. */
function withoutMessage(failure: unknown): unknown {
  if (typeof failure !== 'object' || failure === null) return failure;
  return Object.fromEntries(Object.entries(failure).filter(([key]) => !FREE_TEXTS.has(key)));
}

/** Named after the worker's process and host. */
function isStickyQueue(value: unknown): value is { name: string } {
  return (Object(value) as { kind?: string }).kind === 'TASK_QUEUE_KIND_STICKY';
}

export const historyText = (history: HistoryJson) => `${JSON.stringify(history, null, 2)}\n`;

/** Ids of agents by their slugs. */
export type AgentIds = ReadonlyMap<string, string>;

/**
 * Replaces the slugs of agents, which contain names of persons, by their ids: those of now, and those that an agent
 * had when the history was made. Two slugs never become one text, so that what changed in the run still changes.
 */
function createSlugReplacer(history: unknown, ids: AgentIds) {
  const replacements = new Map(ids);
  for (const [slug, id] of slugsIn(history))
    if (!replacements.has(slug)) replacements.set(slug, unusedName(id, replacements));
  const inReason = reasonPattern([...replacements.keys()]);
  return (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (key === 'agentSlug') return replacements.get(value) ?? value;
    return value.replace(inReason, (slug) => replacements.get(slug) ?? slug);
  };
}

/** A cleaned history has the id for a slug, which stays. */
function unusedName(id: string, replacements: AgentIds): string {
  const used = new Set(replacements.values());
  let name = id;
  for (let count = 2; used.has(name); count += 1) name = `${id}-${count}`;
  return name;
}

function* slugsIn(value: unknown): Generator<[slug: string, id: string]> {
  if (typeof value !== 'object' || value === null) return;
  if (isPayload(value)) return yield* slugsIn(decodePayload(value));
  const { agentSlug, agentId } = value as { agentSlug?: unknown; agentId?: unknown };
  if (typeof agentSlug === 'string' && typeof agentId === 'string') yield [agentSlug, agentId];
  for (const each of Object.values(value)) yield* slugsIn(each);
}

/** Reasons of decisions name agents as `agent sara-haddad`. */
function reasonPattern(slugs: readonly string[]): RegExp {
  const longestFirst = slugs.toSorted((one, other) => other.length - one.length).map(escapeRegExp);
  return new RegExp(
    `(?<=\\bagent )(?:${longestFirst.join('|') || '(?!)'})(?![\\p{L}\\p{N}-])`,
    'gu',
  );
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Payloads in the JSON of a history: base64 of, as the service writes them, JSON. */

export interface Payload {
  metadata: unknown;
  data: string;
}

export function isPayload(value: unknown): value is Payload {
  const { metadata, data } = Object(value) as Partial<Payload>;
  return typeof data === 'string' && metadata !== undefined;
}

/** The value of a payload; its text where it is not JSON. */
export function decodePayload({ data }: Payload): unknown {
  const text = Buffer.from(data, 'base64').toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Changes the texts in a payload; one that is not JSON stays as it is. */
function mapPayload(payload: Payload, change: (key: string, value: unknown) => unknown): Payload {
  const text = Buffer.from(payload.data, 'base64').toString('utf8');
  try {
    const changed = JSON.stringify(JSON.parse(text, change));
    return { ...payload, data: Buffer.from(changed).toString('base64') };
  } catch {
    return payload;
  }
}
