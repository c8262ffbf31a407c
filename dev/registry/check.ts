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
  wasUsed(transactionId: string): boolean;
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
  const result = { transactionId, details: rowsFor(numbers), ackMessage: { status: 'SUCCESS' } };
  return { status: 200, body: result, numbers, transactionId };
}

function headerIssue(
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

function bodyIssue(body: unknown): string | null {
  const issue = request.safeParse(body).error?.issues[0];
  return issue ? `${issue.path.join('.')} ${issue.message}` : null;
}

/**
 * The last digit of a number decides what the simulated registry returns:
 *
 *   0 1 2 3   clear          dncrStatus "FALSE"
 *   4 5 6     registered     dncrStatus "TRUE"
 *   7 8       not found      dncrStatus null and the not-found text
 *   9         nothing        the response has no row for it
 */
interface Row {
  accountNumber: string;
  dncrStatus: 'TRUE' | 'FALSE' | null;
  transactionStatus: string | null;
}

const NOT_FOUND_TEXT = 'Account Number – Not Found';

function rowFor(accountNumber: string): Row | null {
  const digit = Number(accountNumber.at(-1));
  if (digit === 9) return null;
  if (digit >= 7) return { accountNumber, dncrStatus: null, transactionStatus: NOT_FOUND_TEXT };
  return { accountNumber, dncrStatus: digit >= 4 ? 'TRUE' : 'FALSE', transactionStatus: null };
}

/** In reverse order, so that a client that relies on the order fails. */
function rowsFor(accountNumbers: readonly string[]): Row[] {
  return accountNumbers
    .map(rowFor)
    .filter((row) => row !== null)
    .reverse();
}
