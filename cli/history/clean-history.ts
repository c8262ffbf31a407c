import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { isRecord } from '../../domain/canonical-json.ts';

/** A history in the format of `historyToJSON`. */
export interface HistoryJson {
  events: { eventId: string; eventType: string }[];
}

/** Fields that no replay reads: processes, hosts, builds, request ids, texts of failures and of operators. */
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

/** Fields of activity results that name hosts or quote responses. */
const OUTSIDE_TEXTS = new Set(['detail', 'failureReason', 'host', 'answer']);

export type AgentIds = ReadonlyMap<string, string>;

/** Removes `NOT_NEEDED`, and replaces the slugs of agents by their ids. */
export function cleanHistory(history: History, agentIds: AgentIds = new Map()): HistoryJson {
  const redact = redactWith(new Map(agentIds));
  return JSON.parse(historyToJSON(history), (key, value: unknown) => {
    if (key === 'encodedAttributes') return undefined; // the texts of a failure
    if (isJsonPayload(value)) return { ...value, data: redact(value.data, key) };
    if (NOT_NEEDED.has(key)) return undefined;
    return isStickyQueue(value) ? { ...value, name: 'sticky' } : value;
  }) as HistoryJson;
}

export const historyText = (history: HistoryJson) => `${JSON.stringify(history, null, 2)}\n`;

/** Its name contains the worker's process and host. */
const isStickyQueue = (value: unknown): value is { name: string } =>
  isRecord(value) && value.kind === 'TASK_QUEUE_KIND_STICKY';

const JSON_ENCODING = Buffer.from('json/plain').toString('base64');

const isJsonPayload = (value: unknown): value is { data: string } =>
  isRecord(value) && isRecord(value.metadata) && value.metadata.encoding === JSON_ENCODING;

function redactWith(ids: Map<string, string>) {
  const idOf = (slug: string) => ids.get(slug) ?? slug;

  /** Learns the former slugs of agents. Two slugs never become the same id, since a replay sees the change. */
  function learn(slug: string, agentId: string): string {
    const used = new Set(ids.values());
    let id = agentId;
    for (let count = 2; used.has(id); count += 1) id = `${agentId}-${count}`;
    if (!ids.has(slug)) ids.set(slug, id);
    return idOf(slug);
  }

  return (data: string, name: string): string => {
    const json = Buffer.from(data, 'base64').toString('utf8');
    const redacted: unknown = JSON.parse(json, function (this: { agentId?: string }, key, text) {
      if (typeof text !== 'string') return text as unknown;
      if (OUTSIDE_TEXTS.has(key)) return '';
      if (key === 'agentSlug' && this.agentId) return learn(text, this.agentId);
      if (name === 'Agent') return idOf(text);
      return text.includes('agent ') ? text.replace(slugInReason(ids.keys()), idOf) : text;
    });
    return Buffer.from(JSON.stringify(redacted)).toString('base64');
  };
}

/** Reasons of decisions contain `agent sara-haddad`. A slug may be any text. */
function slugInReason(slugs: Iterable<string>): RegExp {
  const longestFirst = [...slugs].sort((one, other) => other.length - one.length);
  const any = longestFirst.map((slug) => slug.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return new RegExp(`(?<=\\bagent )(?:${any || '(?!)'})(?![\\p{L}\\p{N}-])`, 'gu');
}
