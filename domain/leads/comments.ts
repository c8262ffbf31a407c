import { z } from 'zod';
import { plainMessage } from '../validation-issues.ts';
import { isBlank, limitedText, withoutInvisible } from '../written-text.ts';
import { readInstant } from './instant.ts';

const MAX_COMMENTS = 5;

const direction = z.preprocess(readDirection, z.enum(['inbound', 'outbound']).nullish()).meta({
  override: { anyOf: [{ type: 'string', enum: ['inbound', 'outbound'] }, { type: 'null' }] },
});

/** Case and the space around it do not count; an empty string counts as omitted. */
function readDirection(sent: unknown): unknown {
  if (isBlank(sent)) return null;
  return typeof sent === 'string' ? withoutInvisible(sent).trim().toLowerCase() : sent;
}

export const comment = z.looseObject({
  date: z.string().nullish().meta({
    description: 'When it was made; when omitted, now. An unreadable one skips the comment.',
  }),
  text: limitedText(10_000).nullish().meta({ description: 'Without it the comment is skipped.' }),
  author: limitedText(255).nullish(),
  channel: limitedText(64).nullish(),
  direction: direction.optional(),
  externalId: limitedText(128).nullish().meta({
    description: 'A comment whose id the lead already has is skipped.',
  }),
});

/** Only the first five are read and validated; the rest is skipped. */
export const comments = z.array(z.unknown()).transform((sent, context) => {
  const read = z.array(comment).safeParse(sent.slice(0, MAX_COMMENTS), { error: plainMessage });
  if (!read.success) {
    for (const issue of read.error.issues) context.addIssue({ ...issue } as never);
    return z.NEVER;
  }
  return { first: read.data, skipped: Math.max(0, sent.length - MAX_COMMENTS) };
});

export type SentComments = z.infer<typeof comments>;

export type CommentOutcome = ReturnType<typeof readComments>;
export type CommentCount = NonNullable<ReturnType<typeof countComments>>;

/** How many comments of a request were added and skipped. */
export function countComments(outcome: CommentOutcome | null) {
  return outcome && { added: outcome.added.length, skipped: outcome.skipped };
}

/** Skips comments without text, with an unreadable date, or already on the lead; none fails the request. */
export function readComments(sent: SentComments, knownExternalIds: ReadonlySet<string>) {
  const known = new Set(knownExternalIds);
  const added = sent.first.flatMap((candidate) => {
    const comment = readComment(candidate, known);
    if (comment?.externalId) known.add(comment.externalId);
    return comment ?? [];
  });
  return { added, skipped: sent.skipped + sent.first.length - added.length };
}

function readComment(sent: z.infer<typeof comment>, known: ReadonlySet<string>) {
  const text = filled(sent.text);
  const date = filled(sent.date);
  const externalId = filled(sent.externalId);
  const occurredAt = date ? readInstant(date) : null;
  if (!text || (date && !occurredAt) || (externalId && known.has(externalId))) return null;
  return {
    /** When it was made; null where no date was sent, and then the time of receipt is stored. */
    occurredAt,
    text,
    author: filled(sent.author),
    channel: filled(sent.channel),
    direction: sent.direction ?? null,
    externalId,
  };
}

function filled(text: string | null | undefined): string | null {
  return text && !isBlank(text) ? text : null;
}
