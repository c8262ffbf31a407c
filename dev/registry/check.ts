import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { refusal } from './answer.ts';
import { rowsFor } from './outcome.ts';

const request = z
  .strictObject({
    accountNumber: z.array(z.string().regex(/^05\d{8}$/, 'is not in local form')).min(1),
    count: z.string(),
  })
  .refine((body) => body.count === String(body.accountNumber.length), {
    path: ['count'],
    message: 'is not the number of entries, as text',
  });

export interface CheckRules {
  clientId: string;
  wasUsed(transactionId: string): boolean;
}

export interface CheckResult {
  status: number;
  body: Record<string, unknown>;
  numbers: readonly string[];
  transactionId: string;
}

/** The registry's answer to a check whose token is good. */
export function check(headers: IncomingHttpHeaders, body: unknown, rules: CheckRules): CheckResult {
  const transactionId = String(headers['x-tib-transactionid'] ?? '');
  const fault = faultOf(headers, transactionId, rules) ?? faultOfBody(body);
  if (fault !== null) {
    return {
      status: 400,
      body: { transactionId, ...refusal('TIB-002', fault) },
      numbers: [],
      transactionId,
    };
  }
  const numbers = request.parse(body).accountNumber;
  const answer = { transactionId, details: rowsFor(numbers), ackMessage: { status: 'SUCCESS' } };
  return { status: 200, body: answer, numbers, transactionId };
}

function faultOf(
  headers: IncomingHttpHeaders,
  transactionId: string,
  rules: CheckRules,
): string | null {
  if (headers['clientid'] !== rules.clientId) return 'clientID is missing or wrong';
  if (!headers['x-tib-requestedsystem']) return 'X-TIB-RequestedSystem is missing';
  if (!transactionId) return 'X-TIB-TransactionID is missing';
  if (rules.wasUsed(transactionId)) return 'X-TIB-TransactionID was used before';
  return null;
}

function faultOfBody(body: unknown): string | null {
  const issue = request.safeParse(body).error?.issues[0];
  return issue ? `${issue.path.join('.')} ${issue.message}` : null;
}
