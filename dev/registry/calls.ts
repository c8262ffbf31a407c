/** What the registry was asked, for tests to look at. */
export interface Calls {
  tokens: number;
  checks: number;
  /** How often each number was asked for. */
  numbers: Record<string, number>;
  transactionIds: string[];
}

export interface CallLog {
  calls(): Calls;
  reset(): void;
  addToken(): void;
  addCheck(transactionId: string, numbers: readonly string[]): void;
}

export function createCallLog(): CallLog {
  const none = (): Calls => ({ tokens: 0, checks: 0, numbers: {}, transactionIds: [] });
  let log = none();
  return {
    calls: () => structuredClone(log),
    reset: () => void (log = none()),
    addToken: () => void (log.tokens += 1),
    addCheck(transactionId, numbers) {
      log.checks += 1;
      log.transactionIds.push(transactionId);
      for (const number of numbers) log.numbers[number] = (log.numbers[number] ?? 0) + 1;
    },
  };
}
