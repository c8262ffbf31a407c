import { withoutInvisible, withWesternDigits } from '../written-text.ts';

/* Every pattern is of bounded length, so that folding is linear in the text. */
const COMBINING = /[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/gu;
const SUPERSCRIPT_OR_SUBSCRIPT = /[\u00b2\u00b3\u00b9\u2070-\u209c]/gu;
/** A whole phrase in one character would become eighteen times as long. */
const PHRASE_LIGATURES = /[\ufdfa\ufdfb]/gu;
const DIGIT_BEFORE_FRACTION = /([0-9\u0660-\u0669\u06f0-\u06f9]) ?(?=[½¼¾])/gu;

/** `m2` only after an unambiguous count: `1m2` may be a million and two. */
const SQUARE_METRE = /[mم]²|(?<=[0-9٠-٩۰-۹]{2} ?|[0-9٠-٩۰-۹] )[mم][2٢۲](?![\p{L}\p{N}])/giu;
/** Folding removes the hamza, the only difference between this dinar and the dirham of `د.إ`. */
const JORDANIAN_DINAR = /(?<!\p{L})د\.أ\.?(?!\p{L})/gu;

const VULGAR_FRACTIONS: Readonly<Record<string, string>> = {
  '½': ' half ',
  '¼': ' quarter ',
  '¾': ' three quarters ',
  '㎡': ' sqm ',
};

/** Keeps Persian and Urdu letters apart from Arabic ones: `خیر` and `خير` are different words. */
export function foldText(text: string): string {
  const decomposed = withoutTypography(text).normalize('NFKD').toLowerCase();
  return withWesternDigits(replaceLetters(withoutInvisible(decomposed.replace(COMBINING, ''))));
}

const replaceLetters = replacing({
  ا: 'ٱ',
  ي: 'ى',
  ه: 'ة',
  i: 'ı',
  '-': '‐‑‒–—―−﹘',
  '~': '∼〜≈',
  "'": '’‘`ʼ',
  ',': '،',
  '%': '٪',
  '"': '“”„«»',
  // Advertising forms write an answer as a key: `1_to_2_million`.
  ' ': '_',
});

/** For numbers and dates, whose words are the same on an Arabic, Persian or Urdu keyboard. */
export const foldLetters = replacing({ ي: 'یے', ك: 'ک', ه: 'ہھەۃ' });

/** NFKD would turn `1½` into `11⁄2`, `10²` into `102` and `№` into `no`. */
function withoutTypography(text: string): string {
  return text
    .replace(SQUARE_METRE, ' sqm ')
    .replace(JORDANIAN_DINAR, ' jod ')
    .replaceAll('№', '#')
    .replace(DIGIT_BEFORE_FRACTION, '$1 and')
    .replace(/[½¼¾㎡]/gu, (sign) => VULGAR_FRACTIONS[sign] ?? sign)
    .replace(PHRASE_LIGATURES, '\ufffd')
    .replace(SUPERSCRIPT_OR_SUBSCRIPT, '\ufffd');
}

function replacing(letters: Record<string, string>): (text: string) => string {
  const replaced = new RegExp(`[${Object.values(letters).join('')}]`, 'gu');
  const letterOf = new Map(
    Object.entries(letters).flatMap(([to, from]) => [...from].map((each) => [each, to])),
  );
  return (text) => text.replace(replaced, (each) => letterOf.get(each) ?? each);
}

export type Token = {
  readonly kind: 'digits' | 'word' | 'mark';
  readonly text: string;
  readonly gap: string;
};

/** Chinese joins a scale, and the word for a day, to the next word: `万美元`, `日星期四`. */
const PIECES = /(?<digits>[0-9]+)|(?<word>[千万萬亿億日]|[\p{L}\p{M}]+)|\S/gu;

export function tokenise(folded: string): Token[] {
  let end = 0;
  return Array.from(folded.matchAll(PIECES), (match): Token => {
    const gap = folded.slice(end, match.index);
    end = match.index + match[0].length;
    const kind = match.groups?.['digits'] ? 'digits' : match.groups?.['word'] ? 'word' : 'mark';
    return { kind, text: match[0], gap };
  });
}

export function textOf(tokens: Token[]): string {
  return tokens.map(({ gap, text }, at) => (at === 0 || gap === '' ? text : ` ${text}`)).join('');
}

/** Folded like the texts in which it is searched. A point at its end is optional there. */
export function phraseKey(phrase: string): string {
  const tokens = tokenise(foldLetters(foldText(phrase)));
  return tokens
    .map((token) => token.text)
    .join(' ')
    .replace(/ \.$/u, '');
}
