import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { createSlugReplacer, type AgentIds } from './agent-slugs.ts';
import { isPayload, mapPayload } from './payloads.ts';

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
  ...['identity', 'principal', 'requestId', 'attachedRequestId', 'taskId', 'reason', 'links'],
  ...['workerVersion', 'sourceVersionStamp', 'binaryChecksum', 'prevAutoResetPoints'],
  ...['completionCallbacks', 'attachedCompletionCallbacks', 'meteringMetadata'],
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

/** As it is written to a file. */
export const historyText = (history: HistoryJson) => `${JSON.stringify(history, null, 2)}\n`;
