import type { z } from 'zod';
import { validationError } from '../errors.ts';

/** Parses by a schema; throws 422 with one text per fault, each beginning with its path. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw validationError(faultTexts(parsed.error.issues));
}

function faultTexts(issues: readonly z.core.$ZodIssue[]): string[] {
  const texts = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${pathText([...issue.path, key])}: is not known`)
      : [`${pathText(issue.path)}: ${issue.message}`],
  );
  return [...new Set(texts)];
}

/** `leadPhones[0]`, `adPlatform.adId`. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
