import type * as z from 'zod';

/** The place of an issue in a body or a dataset: `leadPhones[0]`, `developers[3].slug`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** The message for an absent field; every other issue keeps zod's own message. */
export function missingFieldMessage({ input }: z.core.$ZodRawIssue): string | undefined {
  return input === undefined ? 'is missing' : undefined;
}

/** One thing that is wrong with a dataset, and where: `developers[3].slug`. */
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
