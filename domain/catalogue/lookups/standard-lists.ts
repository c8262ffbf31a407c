import currencyCodes from 'currency-codes';
// The package's own entry reads the names in all of its 80 languages.
import countries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import arabic from 'i18n-iso-countries/langs/ar.json' with { type: 'json' };
import ISO6391 from 'iso-639-1';
import { LookupList, type Entry } from './lookup-list.ts';

/** The lists that a standard or the specification fixes, which need no import. */

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

/** Codes come before names, so that a two-letter text is always a code. */
export const countryList = new LookupList<Entry>(
  Object.entries(countries.getAlpha2Codes()).map(([code, alpha3]) => {
    const names = countries.getName(code, 'en', { select: 'all' }) ?? [];
    const arabicName = countries.getName(code, 'ar');
    return {
      entry: { id: code, name: countries.getName(code, 'en') ?? code },
      texts: [
        [code, alpha3],
        [...names, ...(arabicName ? [arabicName] : [])],
      ],
    };
  }),
);

export interface LanguageNames {
  code: string;
  name: string;
  aliases: readonly string[];
}

/** Names that people use beside the standard's own. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  fa: ['Farsi'],
  pa: ['Punjabi'],
  tl: ['Filipino'],
  zh: ['Mandarin'],
};

/** ISO 639-1 by code, English name and own name, with the CRM's additions. Their aliases come last. */
export function languageList(added: readonly LanguageNames[]): LookupList<Entry> {
  const names = new Map<string, string>(added.map(({ code, name }) => [code.toLowerCase(), name]));
  const own = ISO6391.getAllCodes().map((code) => ({
    entry: { id: code, name: names.get(code) ?? ISO6391.getName(code) },
    texts: [
      [code],
      [ISO6391.getName(code)],
      [ISO6391.getNativeName(code), ...(OTHER_NAMES[code] ?? [])],
    ],
  }));
  const extra = added.map(({ code, name, aliases }) => ({
    entry: { id: code.toLowerCase(), name },
    texts: [[code], [name], [], aliases],
  }));
  return new LookupList([...own, ...extra]);
}
