import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';

/** A history as `historyToJSON` writes it and `historyFromJSON` reads it. */
export interface HistoryJson {
  events: { eventId: string; eventType: string }[];
}

/** Processes, hosts, builds, ids of requests, texts of failures, and what people typed. No replay reads them. */
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
  'message',
  'stackTrace',
]);

/** In results of the service's activities: texts that name hosts or quote responses. */
const OUTSIDE_TEXTS = new Set(['detail', 'failureReason', 'host', 'answer']);

/**
 * Removes what no replay needs and nobody else should read. What stays: `sdkMetadata`, the deployment
 * version, summaries, names of records.
 */
export function cleanHistory(history: History, agentIds: AgentIds = new Map()): HistoryJson {
  const json = historyToJSON(history);
  const redact = redactWith(withFormerSlugs(agentIds, JSON.parse(json)));
  return JSON.parse(json, (key, value: unknown) => {
    if (key === 'encodedAttributes') return undefined; // the texts of a failure
    if (isPayload(value)) return redactPayload(value, key, redact);
    if (NOT_NEEDED.has(key)) return undefined;
    return isStickyQueue(value) ? { ...value, name: 'sticky' } : value;
  }) as HistoryJson;
}

export const historyText = (history: HistoryJson) => `${JSON.stringify(history, null, 2)}\n`;

/** Named after the worker's process and host. */
function isStickyQueue(value: unknown): value is { name: string } {
  return (Object(value) as { kind?: string }).kind === 'TASK_QUEUE_KIND_STICKY';
}

export type AgentIds = ReadonlyMap<string, string>;

/** Adds the slugs that agents had when the history was made. Two slugs never become the same id. */
function withFormerSlugs(agentIds: AgentIds, history: unknown): AgentIds {
  const ids = new Map(agentIds);
  for (const [slug, id] of slugsIn(history)) {
    const used = new Set(ids.values());
    let name = id;
    for (let count = 2; used.has(name); count += 1) name = `${id}-${count}`;
    if (!ids.has(slug)) ids.set(slug, name);
  }
  return ids;
}

function* slugsIn(value: unknown): Generator<[slug: string, id: string]> {
  if (typeof value !== 'object' || value === null) return;
  if (isPayload(value)) return yield* slugsIn(readPayload(value));
  const { agentSlug, agentId } = value as { agentSlug?: unknown; agentId?: unknown };
  if (typeof agentSlug === 'string' && typeof agentId === 'string') yield [agentSlug, agentId];
  for (const each of Object.values(value)) yield* slugsIn(each);
}

/** In the JSON of a history: base64 of, as the service writes them, JSON. */
interface Payload {
  metadata: unknown;
  data: string;
}

function isPayload(value: unknown): value is Payload {
  const { metadata, data } = Object(value) as Partial<Payload>;
  return typeof data === 'string' && metadata !== undefined;
}

function readPayload({ data }: Payload): unknown {
  try {
    return JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}

type Redact = (name: string, key: string, text: string) => string;

function redactPayload(payload: Payload, name: string, redact: Redact): Payload {
  const value = readPayload(payload);
  if (value === undefined) return payload;
  const redacted = JSON.stringify(value, (key, text: unknown) =>
    typeof text === 'string' ? redact(name, key, text) : text,
  );
  return { ...payload, data: Buffer.from(redacted).toString('base64') };
}

function redactWith(ids: AgentIds): Redact {
  const inReason = reasonPattern([...ids.keys()]);
  const idOf = (slug: string) => ids.get(slug) ?? slug;
  return (name, key, text) => {
    if (OUTSIDE_TEXTS.has(key)) return '';
    return key === 'agentSlug' || name === 'Agent' ? idOf(text) : text.replace(inReason, idOf);
  };
}

/** Reasons of decisions name agents as `agent sara-haddad`. */
function reasonPattern(slugs: readonly string[]): RegExp {
  const longestFirst = slugs.toSorted((one, other) => other.length - one.length);
  const any = longestFirst.map((slug) => slug.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return new RegExp(`(?<=\\bagent )(?:${any || '(?!)'})(?![\\p{L}\\p{N}-])`, 'gu');
}
