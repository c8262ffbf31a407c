import { z } from 'zod';
import type { RegistryDetail } from '../../domain/dncr/registry-answer.ts';
import type { Posted } from './post.ts';
import { RegistryError } from './registry-error.ts';

/** The database takes neither NUL nor half a character. */
const text = z.string().transform((sent) => sent.replaceAll('\u0000', '').toWellFormed());

const answer = z.object({
  transactionId: text.nullish(),
  details: z.array(z.unknown()),
  ackMessage: z.object({ status: z.literal('SUCCESS') }),
});

const detail = z.object({
  accountNumber: z.string(),
  dncrStatus: text.nullish().transform((status) => status ?? null),
  transactionStatus: text.nullish().transform((status) => status ?? null),
});

const acknowledgement = z.object({ ackMessage: z.object({ status: z.string() }) });

export interface ReadAnswer {
  details: RegistryDetail[];
  transactionId: string | null;
}

/** A row that cannot be read is left out, so that its number has no answer; the rest must be right. */
export function readAnswer({ status, body }: Posted): ReadAnswer {
  if (status !== 200) throw refusal(status);
  const read = answer.safeParse(body);
  if (!read.success) throw notUnderstood(body);
  return {
    details: read.data.details.flatMap((row) => detail.safeParse(row).data ?? []),
    transactionId: read.data.transactionId?.trim() || null,
  };
}

/** An acknowledgement other than SUCCESS is a failure whatever the HTTP status. */
function notUnderstood(body: unknown): RegistryError {
  const told = acknowledgement.safeParse(body).data?.ackMessage.status;
  return told !== undefined && told !== 'SUCCESS'
    ? new RegistryError('failure', 'The registry acknowledged the request with a failure.')
    : new RegistryError('nonsense', 'The answer of the registry cannot be read.');
}

function refusal(status: number): RegistryError {
  const isOurs = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new RegistryError(isOurs ? 'refused' : 'failure', `The registry answered ${status}.`);
}
