/**
 * What the simulated registry knows of a number goes by its last digit:
 *
 *   0 1 2 3   clear          dncrStatus "FALSE"
 *   4 5 6     registered     dncrStatus "TRUE"
 *   7 8       not found      dncrStatus null and the not-found text
 *   9         nothing        the answer has no row for it
 */
export interface Row {
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

/** Backwards, so that whoever goes by the order of the rows is soon found out. */
export function rowsFor(accountNumbers: readonly string[]): Row[] {
  return accountNumbers
    .map(rowFor)
    .filter((row) => row !== null)
    .reverse();
}
