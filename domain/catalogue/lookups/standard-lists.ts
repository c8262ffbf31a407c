import currencyCodes from 'currency-codes';
// The package's own entry reads the names in all of its 80 languages.
import countries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import arabic from 'i18n-iso-countries/langs/ar.json' with { type: 'json' };
import ISO6391 from 'iso-639-1';
import { LookupList, lookupKey, type Entry } from './lookup-list.ts';

countries.registerLocale(english);
countries.registerLocale(arabic);

function fixed(names: readonly string[]): LookupList<Entry> {
  return new LookupList(names.map((name) => ({ entry: { id: name, name }, texts: [[name]] })));
}

export const marketSegments = fixed(['Standard', 'Luxury', 'Super Luxury']);
export const agentCategories = fixed(['A', 'B', 'C', 'D']);

export const currencies = new LookupList<Entry>(
  currencyCodes.data.map(({ code: id, currency: name }) => ({
    entry: { id, name },
    texts: [[id]],
  })),
);

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['Emirates', 'الإمارات'],
  GB: ['Britain', 'England', 'بريطانيا'],
  SA: ['KSA'],
  US: ['America', 'أمريكا'],
  ar: ['عربي'],
  en: ['إنجليزي'],
  fa: ['Farsi'],
  pa: ['Punjabi'],
  tl: ['Filipino', 'fil'],
  zh: ['Mandarin'],
};

function commonNames(type: 'region' | 'language') {
  const locales = ['en', 'ar'].map((locale) => new Intl.DisplayNames(locale, { type }));
  return (code: string) =>
    locales.map((names) => names.of(code) ?? code).concat(OTHER_NAMES[code] ?? []);
}

const countryNames = commonNames('region');
const languageNames = commonNames('language');

/** Codes come before names, so that a two-letter value is always a code. */
export const countryList = new LookupList<Entry>(
  Object.entries(countries.getAlpha2Codes()).map(([code, alpha3]) => {
    const names = countries.getName(code, 'en', { select: 'all' }) ?? [];
    return {
      entry: { id: code, name: countries.getName(code, 'en') ?? code },
      texts: [
        [code, alpha3],
        [...names, countries.getName(code, 'ar') ?? code, ...countryNames(code)],
      ],
    };
  }),
);

export interface LanguageNames {
  code: string;
  name: string;
  aliases: readonly string[];
}

/** The end of `en-GB`, `ar_AE`, `zh-Hans-CN`, `en_US.UTF-8` or `English (UK)`. */
const REGION =
  /(?<=^[a-z]{2,3})(?:[-_](?:arab|cyrl|hans|hant|latn))?(?:[-_](?:[a-z]{2}|\d{3}))?(?:[.@].*)?$| ?\([^()]+\)$/;

class LanguageList extends LookupList<Entry> {
  /** A language with its region is the language, unless the list has the two together. */
  override resolve(text: string): Entry | null {
    return super.resolve(text) ?? super.resolve(lookupKey(text).replace(REGION, ''));
  }
}

/** ISO 639-1 by code, English name and own name. Aliases of the CRM come last. */
export function languageList(added: readonly LanguageNames[]): LookupList<Entry> {
  const names = new Map<string, string>(added.map(({ code, name }) => [code.toLowerCase(), name]));
  const own = ISO6391.getAllCodes().map((code) => ({
    entry: { id: code, name: names.get(code) ?? ISO6391.getName(code) },
    texts: [[code], [ISO6391.getName(code)], [ISO6391.getNativeName(code), ...languageNames(code)]],
  }));
  const extra = added.map(({ code, name, aliases }) => ({
    entry: { id: code.toLowerCase(), name },
    texts: [[code], [name], [], aliases],
  }));
  return new LanguageList([...own, ...extra]);
}
