import type { z } from 'zod';
import { missingField } from '../../domain/missing-field.ts';
import { formatPath } from '../../domain/format-path.ts';
import { validationError } from '../errors.ts';

/** Parses by a schema; throws 422 with one text per fault, each beginning with its path. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: missingField });
  if (parsed.success) return parsed.data;
  throw validationError(issueMessages(parsed.error.issues));
}

function issueMessages(issues: readonly z.core.$ZodIssue[]): string[] {
  const texts = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${formatPath([...issue.path, key])}: is not known`)
      : [`${formatPath(issue.path)}: ${issue.message}`],
  );
  return [...new Set(texts)];
}
