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

/** `.5`: a point before the digits, with nothing joined to its left. */
export function startsNumeral(tokens: Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind === 'digits') return true;
  const following = tokens[at + 1];
  const pointed = token?.text === '.' || token?.text === '٫';
  return pointed && following?.kind === 'digits' && following.gap === 'none';
}

function collect(tokens: Token[], at: number): Digits {
  const groups = [tokens[at]?.kind === 'digits' ? (tokens[at]?.text ?? '') : ''];
  const separators: string[] = [];
  let next = groups[0] === '' ? at : at + 1;
  for (;;) {
    const joined = joinedGroup(tokens, next, groups, separators);
    if (joined === null) return { groups, separators, next };
    separators.push(joined.separator);
    groups.push(joined.group);
    next = joined.next;
  }
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
