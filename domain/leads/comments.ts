import { readInstant } from './instant.ts';
import { isBlank, type SentComment } from './payload-schema.ts';

export interface Comment {
  /** When it was made; null where no date was sent, and then the time of receipt is stored. */
  occurredAt: Date | null;
  text: string;
  author: string | null;
  channel: string | null;
  direction: 'inbound' | 'outbound' | null;
  externalId: string | null;
}

export interface CommentOutcome {
  added: Comment[];
  skipped: number;
}

/** How many comments of a request were added and skipped. */
export interface CommentCount {
  added: number;
  skipped: number;
}

export function countComments(outcome: CommentOutcome | null): CommentCount | null {
  return outcome && { added: outcome.added.length, skipped: outcome.skipped };
}

/** Skips comments without text, with an unreadable date, or already on the lead; none fails the request. */
export function readComments(
  sent: { first: SentComment[]; skipped: number },
  knownExternalIds: ReadonlySet<string>,
): CommentOutcome {
  const known = new Set(knownExternalIds);
  const added: Comment[] = [];
  for (const candidate of sent.first) {
    const comment = readComment(candidate, known);
    if (comment) added.push(comment);
    if (comment?.externalId) known.add(comment.externalId);
  }
  return { added, skipped: sent.skipped + sent.first.length - added.length };
}

function readComment(sent: SentComment, known: ReadonlySet<string>): Comment | null {
  const text = filled(sent.text);
  const date = filled(sent.date);
  const externalId = filled(sent.externalId);
  const occurredAt = date ? readInstant(date) : null;
  if (!text || (date && !occurredAt) || (externalId && known.has(externalId))) return null;
  return {
    occurredAt,
    text,
    author: filled(sent.author),
    channel: filled(sent.channel),
    direction: sent.direction ?? null,
    externalId,
  };
}

function filled(text: string | null | undefined): string | null {
  return isBlank(text ?? '') ? null : (text ?? null);
}
