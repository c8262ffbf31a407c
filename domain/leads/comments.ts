import { z } from 'zod';
import { contentHash, isRecord } from '../canonical-json.ts';
import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import { keyOf } from '../quiz/answer.ts';
import { charactersIn, cutText, isBlank, limitedText } from '../written-text.ts';
import { readInstant } from './instant.ts';

export const MAX_COMMENTS = 5;
const LIMITS = { text: 10_000, author: 255, channel: 64, externalId: 128 };

/** For the documents. The service accepts any value: no comment fails a request. */
export const comment = z.looseObject({
  date: z.string().nullish().meta({
    description: 'Time of the comment; now if omitted. An unreadable one skips the comment.',
  }),
  text: limitedText(LIMITS.text).nullish().describe('Without it the comment is skipped.'),
  author: limitedText(LIMITS.author).nullish().describe('Author of the comment.'),
  channel: limitedText(LIMITS.channel).nullish().describe('Channel, such as WhatsApp.'),
  direction: z
    .enum(['inbound', 'outbound'])
    .nullish()
    .describe('From the customer, or to the customer.'),
  externalId: limitedText(LIMITS.externalId).nullish().meta({
    description: 'A comment whose id the lead already has from you on the same channel is skipped.',
  }),
});

export const comments = z.array(z.unknown());
export type SentComments = z.infer<typeof comments>;

type Comment = NonNullable<ReturnType<typeof readComment>>;
/** Unique among the comments that one client added to a lead. */
export type CommentId = [channel: string | null, externalId: string];
export type CommentOutcome = ReturnType<typeof readComments>;
export type CommentCount = NonNullable<CommentOutcome['count']>;

export function readComments(
  sent: SentComments | null,
  known: readonly CommentId[],
  message: string | null = null,
) {
  const ids = new Set(known.map(idKey));
  const isNew = ({ channel, externalId }: Comment) =>
    externalId === null || ids.size < ids.add(idKey([channel, externalId])).size;
  const own = message === null ? [] : [toComment(message)].filter(isNew);
  const read = (sent ?? []).slice(0, MAX_COMMENTS).flatMap((each) => readComment(each) ?? []);
  const added = read.filter(isNew);
  return {
    added: [...own, ...added],
    count: sent && { added: added.length, skipped: sent.length - added.length },
  };
}

/** The id follows from the text, so that a retried enquiry adds its message once. */
function toComment(text: string): Comment {
  const rest = { occurredAt: null, author: null, channel: null, direction: 'inbound' } as const;
  return { ...rest, text, externalId: contentHash(text) };
}

function readComment(sent: unknown) {
  if (!isRecord(sent)) return null;
  const { date } = sent;
  const text = readText(sent.text, LIMITS.text);
  const channel = readText(sent.channel, LIMITS.channel);
  const occurredAt = typeof date === 'string' ? readInstant(date) : null;
  if (text === null || (!isBlank(date ?? '') && !occurredAt)) return null;
  return {
    /** Null: the time of receipt is stored. */
    occurredAt,
    text,
    author: readText(sent.author, LIMITS.author),
    channel,
    direction: readDirection(sent.direction),
    externalId: readId(sent.externalId),
  };
}

function idKey([channel, externalId]: CommentId): string {
  return JSON.stringify([channel && lookupKey(channel), keyOf(externalId)]);
}

/** A long id becomes its beginning and its hash. */
function readId(sent: unknown): string | null {
  const id = keyOf(sent);
  if (id === null || charactersIn(id) < LIMITS.externalId) return id;
  return `${cutText(id, 64)}${contentHash(id)}`;
}

function readDirection(sent: unknown): 'inbound' | 'outbound' | null {
  const word = typeof sent === 'string' ? lookupKey(sent) : '';
  if (['inbound', 'incoming', 'in'].includes(word)) return 'inbound';
  return ['outbound', 'outgoing', 'out'].includes(word) ? 'outbound' : null;
}

function readText(sent: unknown, maxLength: number): string | null {
  const text = typeof sent === 'number' ? String(sent) : sent;
  return typeof text === 'string' && !isBlank(text) ? cutText(text, maxLength) : null;
}
