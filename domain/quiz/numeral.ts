import { decimal, type Decimal } from './decimal.ts';
import type { Token } from './tokens.ts';

/**
 * What a run of digits and separators is worth: on its own, under "thousand", and under "million"
 * and larger words. Null where it is not certain: `1.500` or `١٫٥٠٠` alone is 1500 or 1.5, yet `1.500 million`
 * is 1.5 million; `1,5` alone may be two numbers, yet `1,5 million` is one.
 */
export type Numeral = {
  readonly alone: Decimal | null;
  readonly underThousand: Decimal | null;
  readonly underMillion: Decimal | null;
};

const MAX_DIGITS = 18;
const SEPARATORS = new Set([',', '.', "'", '٬', '٫']);

type Digits = { readonly groups: string[]; readonly separators: string[]; readonly next: number };

/** Reads the numeral that begins at a token; null when its separators are ambiguous or misplaced. */
export function numeralAt(tokens: Token[], at: number): { numeral: Numeral; next: number } | null {
  const digits = collect(tokens, at);
  const length = digits.groups.reduce((sum, group) => sum + group.length, 0);
  const numeral = length <= MAX_DIGITS ? numeralOf(digits.groups, digits.separators) : null;
  return numeral === null ? null : { numeral, next: digits.next };
}

/** Digits, or the point of `.5`; the point of `Rs.500` belongs to the word before it. */
export function startsNumeral(tokens: Token[], at: number): boolean {
  const [before, token, following] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.kind === 'digits') return true;
  const abbreviates = before?.kind === 'word' && token?.gap === 'none';
  const pointed = isPoint(token) && following?.kind === 'digits' && following.gap === 'none';
  return pointed && !abbreviates;
}

function collect(tokens: Token[], at: number): Digits {
  const { groups, separators, next: start } = firstGroups(tokens, at);
  let next = start;
  for (;;) {
    const joined = joinedGroup(tokens, next, groups, separators);
    if (joined === null) return { groups, separators, next };
    separators.push(joined.separator);
    groups.push(joined.group);
    next = joined.next;
  }
}

function firstGroups(tokens: Token[], at: number): Digits {
  const [first, second] = [tokens[at]?.text ?? '', tokens[at + 1]?.text ?? ''];
  return isPoint(tokens[at])
    ? { groups: ['', second], separators: [first], next: at + 2 }
    : { groups: [first], separators: [], next: at + 1 };
}

function isPoint(token: Token | undefined): boolean {
  return token?.text === '.' || token?.text === '٫';
}

function joinedGroup(tokens: Token[], at: number, groups: string[], separators: string[]) {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first?.kind === 'mark' && SEPARATORS.has(first.text) && first.gap === 'none') {
    if (second?.kind !== 'digits' || second.gap !== 'none') return null;
    return { separator: first.text, group: second.text, next: at + 2 };
  }
  const spaced = first?.kind === 'digits' && first.gap === 'space' && first.text.length === 3;
  const fits = groups.length === 1 ? isLeadingGroup(groups[0] ?? '') : separators.at(-1) === ' ';
  return spaced && fits ? { separator: ' ', group: first.text, next: at + 1 } : null;
}

function numeralOf(groups: string[], separators: string[]): Numeral | null {
  const [first = '', second = ''] = groups;
  if (separators.length === 0) return isWhole(first) ? everywhere(decimal(first)) : null;
  if (separators.length === 1) return oneSeparator(first, second, separators[0] ?? '');
  if (new Set(separators).size === 1) {
    return isGrouped(groups) ? onlyAlone(decimal(groups.join(''))) : null;
  }
  return groupedWithFraction(groups, separators);
}

function oneSeparator(integer: string, fraction: string, separator: string): Numeral | null {
  switch (separator) {
    case '.':
    case '٫':
      return point(integer, fraction);
    case ',':
      return comma(integer, fraction);
    default:
      return isGrouped([integer, fraction]) ? onlyAlone(decimal(integer + fraction)) : null;
  }
}

function point(integer: string, fraction: string): Numeral | null {
  if (!isWhole(integer) && integer !== '') return null;
  const value = decimal(integer, fraction);
  const looksGrouped = fraction.length === 3 && integer !== '0' && integer !== '';
  return looksGrouped
    ? { alone: null, underThousand: null, underMillion: value }
    : everywhere(value);
}

function comma(integer: string, fraction: string): Numeral | null {
  if (integer === '0') return everywhere(decimal(integer, fraction));
  if (!isWhole(integer)) return null;
  if (isGrouped([integer, fraction])) {
    const value = decimal(integer + fraction);
    return { alone: value, underThousand: value, underMillion: null };
  }
  if (fraction.length > 2) return null;
  const value = decimal(integer, fraction);
  if (integer.length > 3) return onlyAlone(value);
  return { alone: null, underThousand: value, underMillion: value };
}

/** `1.500,50`: the last separator occurs once and differs from the others, which group. */
function groupedWithFraction(groups: string[], separators: string[]): Numeral | null {
  const point = separators.at(-1) ?? '';
  const [integers, fraction] = [groups.slice(0, -1), groups.at(-1) ?? ''];
  const grouping = new Set(separators.slice(0, -1));
  const clear = grouping.size === 1 && !grouping.has(point) && '.,٫'.includes(point);
  const perhapsMistyped = integers.length === 2 && fraction.length === 3 && point !== '٫';
  if (!clear || perhapsMistyped || !isGrouped(integers)) return null;
  return onlyAlone(decimal(integers.join(''), fraction));
}

/** Threes as in 1,250,000, or the Indian threes and twos as in 12,50,000. */
function isGrouped(groups: string[]): boolean {
  const [first = '', last = ''] = [groups[0], groups.at(-1)];
  const middle = groups.slice(1, -1);
  if (!isLeadingGroup(first) || last.length !== 3) return false;
  const indian = middle.length > 0 && first.length <= 2 && middle.every((g) => g.length === 2);
  return indian || middle.every((group) => group.length === 3);
}

function isLeadingGroup(group: string): boolean {
  return group.length >= 1 && group.length <= 3 && !group.startsWith('0');
}

/** A leading zero marks a phone number, a date or a code. */
function isWhole(digits: string): boolean {
  return digits === '0' || (digits !== '' && !digits.startsWith('0'));
}

export function everywhere(value: Decimal): Numeral {
  return { alone: value, underThousand: value, underMillion: value };
}

function onlyAlone(value: Decimal): Numeral {
  return { alone: value, underThousand: null, underMillion: null };
}
