import type { z } from 'zod';
import { formatPath, plainMessage } from '../../domain/validation-issues.ts';
import { ApiError } from '../errors.ts';

export function validateParams(schema: z.ZodType, params: unknown): unknown {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ApiError('BAD_REQUEST', 'The id in the path must be a uuid.');
}

/** Throws 422 with one message per issue, each beginning with the path of a field or parameter. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  error = plainMessage,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error });
  if (parsed.success) return parsed.data;
  const errors = new Set(parsed.error.issues.flatMap(issueMessages));
  throw new ApiError('VALIDATION_ERROR', 'Validation failed', { errors: [...errors] });
}

/** A repeated query parameter was parsed into a list. */
export const repeatedMessage: z.core.$ZodErrorMap = (issue) =>
  Array.isArray(issue.input) ? 'is given more than once' : plainMessage(issue);

function issueMessages(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [`${formatPath(issue.path)}: ${issue.message}`];
  return issue.keys.map((key) => `${formatPath([...issue.path, key])}: is not known`);
}
