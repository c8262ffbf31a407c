/** What the registry said of one number; its own texts as they came. */
export interface Answer {
  status: AnswerStatus;
  dncrStatus: string | null;
  registryStatus: string | null;
}

/** Statuses that are kept in the cache. */
export type KeptStatus = 'registered' | 'not_registered' | 'not_found';
export type AnswerStatus = KeptStatus | 'unavailable';

export const NO_ANSWER: Answer = { status: 'unavailable', dncrStatus: null, registryStatus: null };
