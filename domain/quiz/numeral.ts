import { isLeadingGroup, numeralOf, type Numeral } from './separators.ts';
import type { Token } from './text/tokens.ts';

const MAX_DIGITS = 18;
const SEPARATORS = new Set([',', '.', "'", '٬', '٫']);

type Digits = { readonly groups: string[]; readonly separators: string[]; readonly next: number };

/** Reads the numeral that begins at a token; null when its separators make no sense. */
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
