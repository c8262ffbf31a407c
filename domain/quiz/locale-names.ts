import currencyCodes from 'currency-codes';

/** The Levant, Algeria and Morocco have other Arabic months. */
const LOCALES =
  'en ar ar-SY ar-DZ ar-MA bn de es fa fil fr hi it ja kk ko nl pl pt ru tr uk ur vi zh'
    .split(' ')
    .map((language) => `${language}-u-ca-gregory-nu-latn`);

const STYLES: Record<'month' | 'weekday', Intl.DateTimeFormatOptions[]> = {
  month: (['long', 'short'] as const).flatMap((month) => [{ month }, { month, day: 'numeric' }]),
  weekday: [{ weekday: 'long' }],
};

const TIMES = {
  month: Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 25)),
  weekday: Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 1, 1 + day)),
};

export type Named = [name: string, place: number];

export function dateNames(part: keyof typeof TIMES): Named[] {
  const formats = LOCALES.flatMap((locale) =>
    STYLES[part].map((style) => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })),
  );
  return formats.flatMap((format) =>
    TIMES[part].map((time, index): Named => [format.format(time).replace('25', ''), index + 1]),
  );
}

/** `Million` is a number without a count, `Millionen` and `万` are not. */
export type ScaleName = [name: string, zeros: number, form: 'whole' | 'counted'];

/** The largest numbers first, so that a name that is a number without a count comes last. */
export function scaleNames(): ScaleName[] {
  const numbers = [9, 8, 7, 6, 5, 4, 3].flatMap((zeros) =>
    [5, 2, 1].map((count) => count * 10 ** zeros),
  );
  return LOCALES.flatMap((locale) => {
    const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay: 'long' });
    return numbers.map((number): ScaleName => {
      const parts = new Map(format.formatToParts(number).map(({ type, value }) => [type, value]));
      const count = Number(parts.get('integer'));
      const form = count === 1 && parts.has('literal') ? 'whole' : 'counted';
      return [count > 0 ? (parts.get('compact') ?? '') : '', Math.log10(number / count), form];
    });
  });
}

/** Without metals and other codes that no country pays with. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set(
  currencyCodes.data
    .filter(({ code, countries }) => !code.startsWith('X') || countries.length > 1)
    .map(({ code }) => code),
);

/** `₺`, `US$`, `ر.س.`: Latin letters such as `Ft` and `Q` are ambiguous. */
function signsOf(currency: string): string[] {
  const options = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  const narrow = new Intl.NumberFormat('en', { ...options, currencyDisplay: 'narrowSymbol' });
  const arabic = new Intl.NumberFormat('ar-u-nu-latn', options);
  const signs = [narrow, arabic].map((format) => format.format(0).replace('0', ''));
  return signs.filter((sign) => /[\p{Sc}\p{Script=Arabic}]/u.test(sign));
}

export function currencyNames() {
  const english = new Intl.DisplayNames('en', { type: 'currency' });
  const arabic = new Intl.DisplayNames('ar', { type: 'currency' });
  return Array.from(CURRENCY_CODES, (code) => {
    const [name, arabicName] = [english.of(code) ?? code, arabic.of(code) ?? code];
    return { code, names: [code, `${code}$`, name, `${name}s`, ...signsOf(code)], arabicName };
  });
}

export function hasDecimalComma(currency: string): boolean {
  const region = currency === 'EUR' ? 'DE' : currency.slice(0, 2);
  const { language } = new Intl.Locale('und', { region }).maximize();
  return new Intl.NumberFormat(`${language}-${region}-u-nu-latn`).format(0.5).includes(',');
}
