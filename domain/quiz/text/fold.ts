/*
 * One shape for all spellings of a text: compatibility forms, accents, Arabic vowel marks, tatweel,
 * hamza on alef, direction marks and zero-width characters make no difference to what is meant.
 * Every pattern is of bounded length, so folding is linear in the text.
 */

const COMBINING = /[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/gu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const SUPERSCRIPT_OR_SUBSCRIPT = /[\u00b2\u00b3\u00b9\u2070-\u209c]/gu;
/** Whole phrases in one character, eighteen times as long once taken apart. */
const PHRASE_LIGATURES = /[\ufdfa\ufdfb]/gu;
const DIGIT_BEFORE_FRACTION = /([0-9\u0660-\u0669\u06f0-\u06f9]) ?(?=[½¼¾])/gu;

/** `m2` only behind a count that leaves no doubt: `1m2` may be a million and two. */
const SQUARE_METRE = /[mم]²|(?<=[0-9٠-٩۰-۹]{2} ?|[0-9٠-٩۰-۹] )[mم][2٢۲](?![\p{L}\p{N}])/giu;
/** Folding removes the hamza, the only difference between this dinar and the dirham of `د.إ`. */
const JORDANIAN_DINAR = /(?<!\p{L})د\.أ\.?(?!\p{L})/gu;

const LETTERS = mapOf({
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
});
const PERSIAN_AND_URDU_LETTERS = mapOf({ ي: 'یے', ك: 'ک', ه: 'ہھەۃ' });
const DIGITS = digitsOf('٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹');
const replaceLettersAndDigits = replacing(new Map([...LETTERS, ...DIGITS]));
const replacePersianAndUrduLetters = replacing(PERSIAN_AND_URDU_LETTERS);
const VULGAR_FRACTIONS: Readonly<Record<string, string>> = {
  '½': ' half ',
  '¼': ' quarter ',
  '¾': ' three quarters ',
  '㎡': ' sqm ',
};

/** Keeps Persian and Urdu letters apart from Arabic ones: `خیر` and `خير` are different words. */
export function foldText(text: string): string {
  const decomposed = withoutTypography(text).normalize('NFKD').toLowerCase();
  const bare = decomposed.replace(COMBINING, '').replace(INVISIBLE, '');
  return replaceLettersAndDigits(bare);
}

/** For numbers and dates, whose words are the same on an Arabic, Persian or Urdu keyboard. */
export function foldLetters(folded: string): string {
  return replacePersianAndUrduLetters(folded);
}

/** NFKD turns `1½` into `11⁄2`, `10²` into `102` and `№` into `no`, so these are replaced before it. */
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

function mapOf(targets: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(targets).flatMap(([to, from]) =>
      [...from].map((letter) => [letter, to] as const),
    ),
  );
}

function digitsOf(...scripts: string[]): ReadonlyMap<string, string> {
  return new Map(
    scripts.flatMap((script) => [...script].map((digit, n) => [digit, String(n)] as const)),
  );
}

/** The pattern matches only the letters to replace, which most texts have few of. */
function replacing(letters: ReadonlyMap<string, string>): (text: string) => string {
  const replaced = new RegExp(`[${[...letters.keys()].join('')}]`, 'gu');
  return (text) => text.replace(replaced, (letter) => letters.get(letter) ?? letter);
}
