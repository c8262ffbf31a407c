import { z } from 'zod';

/** Comments: what came of those that a request sent. */
export const commentCount = z.object({ added: z.int(), skipped: z.int() });

export type CommentCount = z.output<typeof commentCount>;

/** In the answer only where comments were sent. */
export function withCommentCount({ comments }: { comments: CommentCount | null }): object {
  return comments ? { comments } : {};
}
