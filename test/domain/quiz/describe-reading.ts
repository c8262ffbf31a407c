import type { Quantity, Reading } from '../../../domain/quiz/reading.ts';

/** A reading in the words of the table of answers. */
export function describeReading(reading: Reading): string {
  switch (reading.kind) {
    case 'number':
    case 'money':
      return words(reading.kind, reading.value, ...about(reading));
    case 'range':
      return words('range', `${reading.min ?? ''}..${reading.max ?? ''}`, ...about(reading));
    case 'date':
      return words('date', reading.date, reading.time);
    case 'yes_no':
      return reading.value ? 'yes' : 'no';
    case 'unread':
      return 'flagged';
    case 'choice':
    case 'text':
    case 'blank':
      return reading.kind;
  }
}

function about({ unit, currency, currencyWord, approximate }: Quantity): (string | null)[] {
  const word = currency ?? (currencyWord === null ? null : '?');
  return [unit, word, approximate ? '~' : null];
}

function words(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' ');
}
