import currencyCodes from 'currency-codes';
import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import arabic from 'i18n-iso-countries/langs/ar.json' with { type: 'json' };
import ISO6391 from 'iso-639-1';
import { LookupList, type Entry, type Term } from './lookup-list.ts';

/** The lists that a standard or the specification fixes; no import is needed for them. */

countries.registerLocale(english);
countries.registerLocale(arabic);

function fixed(names: readonly string[]): LookupList<Entry> {
  return new LookupList(names.map((name) => ({ entry: { id: name, name }, text: name })));
}

export const marketSegments = fixed(['Standard', 'Luxury', 'Super Luxury']);
export const agentCategories = fixed(['A', 'B', 'C', 'D']);

export const currencies = new LookupList<Entry>(
  currencyCodes.data.map(({ code, currency }) => ({
    entry: { id: code, name: currency },
    text: code,
  })),
);

export const countryList = new LookupList<Entry>(
  Object.keys(countries.getAlpha2Codes()).flatMap(countryTerms),
);

/** Codes come before names, so that a two-letter text is always a code. */
function countryTerms(code: string): Term<Entry>[] {
  const names = countries.getName(code, 'en', { select: 'all' }) ?? [];
  const entry = { id: code, name: countries.getName(code, 'en') ?? code };
  const alpha3 = countries.alpha2ToAlpha3(code);
  const arabicName = countries.getName(code, 'ar');
  return [
    { entry, text: code, rank: 0 },
    ...(alpha3 ? [{ entry, text: alpha3, rank: 0 }] : []),
    ...[...names, ...(arabicName ? [arabicName] : [])].map((text) => ({ entry, text, rank: 1 })),
  ];
}

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

/** ISO 639-1 by code, English name and own name, with what the CRM adds. */
export function languageList(added: readonly LanguageNames[]): LookupList<Entry> {
  const names = new Map<string, string>(added.map(({ code, name }) => [code.toLowerCase(), name]));
  const own = ISO6391.getAllCodes().flatMap((code): Term<Entry>[] => {
    const entry = { id: code, name: names.get(code) ?? ISO6391.getName(code) };
    return [
      { entry, text: code, rank: 0 },
      { entry, text: ISO6391.getName(code), rank: 1 },
      { entry, text: ISO6391.getNativeName(code), rank: 2 },
      ...(OTHER_NAMES[code] ?? []).map((text) => ({ entry, text, rank: 2 })),
    ];
  });
  const extra = added.flatMap(({ code, name, aliases }): Term<Entry>[] => {
    const entry = { id: code.toLowerCase(), name };
    const texts = [name, ...aliases].map((text) => ({ entry, text, rank: 1 }));
    return [{ entry, text: code, rank: 0 }, ...texts];
  });
  return new LookupList([...own, ...extra]);
}
