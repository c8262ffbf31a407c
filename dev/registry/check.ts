import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { refusal } from './fault-mode.ts';

const request = z
  .strictObject({
    accountNumber: z.array(z.string().regex(/^05\d{8}$/, 'is not in local form')).min(1),
    count: z.string(),
  })
  .refine((body) => body.count === String(body.accountNumber.length), {
    path: ['count'],
    message: 'is not the number of entries, as text',
  });

interface CheckRules {
  clientId: string;
  usedIds: ReadonlySet<string>;
}

/** The response to a check whose token is valid. */
export function check(headers: IncomingHttpHeaders, body: unknown, rules: CheckRules) {
  const transactionId = String(headers['x-tib-transactionid'] ?? '');
  const issue = headerIssue(headers, transactionId, rules) ?? bodyIssue(body);
  if (issue !== null) {
    const refused = { transactionId, ...refusal('TIB-002', issue) };
    return { status: 400, body: refused, numbers: [], transactionId };
  }
  const numbers = request.parse(body).accountNumber;
  const details = numbers.toReversed().flatMap(rowsFor);
  const result = { transactionId, details, ackMessage: { status: 'SUCCESS' } };
  return { status: 200, body: result, numbers, transactionId };
}

function headerIssue(
  headers: IncomingHttpHeaders,
  transactionId: string,
  { clientId, usedIds }: CheckRules,
): string | null {
  if (headers['clientid'] !== clientId) return 'clientID is missing or wrong';
  if (!headers['x-tib-requestedsystem']) return 'X-TIB-RequestedSystem is missing';
  if (!transactionId) return 'X-TIB-TransactionID is missing';
  return usedIds.has(transactionId) ? 'X-TIB-TransactionID was used before' : null;
}

function bodyIssue(body: unknown): string | null {
  const issue = request.safeParse(body).error?.issues[0];
  return issue ? `${issue.path.join('.')} ${issue.message}` : null;
}

const NOT_FOUND_TEXT = 'Account Number – Not Found';

/**
 * The last digit of a number decides: 0 to 3 are clear, 4 to 6 registered, 7 and 8 not found, and for 9
 * the response has no row. Rows are in reverse order, so that a client that relies on the order fails.
 */
function rowsFor(accountNumber: string) {
  const digit = Number(accountNumber.at(-1));
  if (digit === 9) return [];
  if (digit >= 7) return { accountNumber, dncrStatus: null, transactionStatus: NOT_FOUND_TEXT };
  return { accountNumber, dncrStatus: digit >= 4 ? 'TRUE' : 'FALSE', transactionStatus: null };
}
