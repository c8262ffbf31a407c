/** A number of a JSON text that no double carries, such as `1e400`: kept as it was written. */
export class InexactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): string {
    return this.source;
  }
}

/** The value with each such number as a text, at any depth. */
export function withNumbersAsTexts(value: unknown): unknown {
  if (value instanceof InexactNumber) return value.source;
  if (Array.isArray(value)) return value.map(withNumbersAsTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withNumbersAsTexts(each)]),
  );
}
