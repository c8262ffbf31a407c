import pluralize from 'pluralize';
import type * as z from 'zod';

export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

export const plainMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small': {
      const { minimum, inclusive, origin } = issue;
      return inclusive === false
        ? `must be more than ${minimum}`
        : `must ${boundText(origin, 'least', minimum)}`;
    }
    case 'too_big':
      return `must ${boundText(issue.origin, 'most', issue.maximum)}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'written in another way'}`;
    case 'invalid_value':
      return `must be ${joinWithOr(issue.values.map(String))}`;
    default:
      return 'is not valid';
  }
};

const TYPES: Partial<Record<z.core.$ZodInvalidTypeExpected, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a uuid',
  guid: 'a uuid',
  date: 'a date such as 2028-06-30',
  datetime: 'a time such as 2028-06-30T09:00:00Z',
};

const COUNTED: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'entry',
  set: 'entry',
};

function boundText(origin: string, end: 'least' | 'most', bound: number | bigint): string {
  const counted = COUNTED[origin];
  return counted === undefined
    ? `be at ${end} ${bound}`
    : `have at ${end} ${pluralize(counted, Number(bound), true)}`;
}

function joinWithOr(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

export interface DatasetIssue {
  place: string;
  message: string;
}

export function issueAt(path: readonly PropertyKey[], message: string): DatasetIssue {
  return { place: formatPath(path), message };
}

export function formatIssue({ place, message }: DatasetIssue): string {
  return `${place}: ${message}`;
}
