import { formatPath } from '../../validation-issues.ts';

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
