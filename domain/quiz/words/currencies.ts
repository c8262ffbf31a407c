/*
 * A word that fits several currencies has no code: the word is kept, and the answer's own `currency`
 * decides. A dirham is the Emirati one and a dollar the American one in this market; a riyal, dinar,
 * pound, rupee or lira says nothing without its country.
 */
export const CURRENCIES: readonly (readonly [code: string | null, phrases: string])[] = [
  [
    'AED',
    'aed|dirham|dirhams|dhs|dh|dhm|dhms|uae dirham|uae dirhams|emirati dirham|emirati dirhams|درهم|دراهم|' +
      'درهما|درهم إماراتي|درهم اماراتى|دراهم إماراتية|د.إ|د.ا|د إ|د.إ.|\u20c3',
  ],
  [
    'USD',
    'usd|us$|us dollar|us dollars|u.s. dollars|american dollars|dollar|dollars|$|دولار|دولارا|دولارات|' +
      'دولار أمريكي|دولار امريكى|доллар|доллара|долларов|美元|美金',
  ],
  ['EUR', 'eur|euro|euros|€|يورو|евро|欧元'],
  [
    'GBP',
    'gbp|£|sterling|pound sterling|pounds sterling|british pounds|جنيه استرليني|جنيه إسترليني',
  ],
  ['SAR', 'sar|saudi riyal|saudi riyals|ريال سعودي|\u20c1'],
  ['QAR', 'qar|qatari riyal|qatari riyals|ريال قطري'],
  ['OMR', 'omr|omani rial|omani rials|ريال عماني'],
  ['KWD', 'kwd|kuwaiti dinar|kuwaiti dinars|دينار كويتي'],
  ['BHD', 'bhd|bahraini dinar|bahraini dinars|دينار بحريني'],
  ['JOD', 'jod|jordanian dinar|jordanian dinars|دينار أردني'],
  ['EGP', 'egp|egyptian pound|egyptian pounds|جنيه مصري'],
  ['INR', 'inr|₹|indian rupee|indian rupees'],
  ['PKR', 'pkr|pakistani rupee|pakistani rupees'],
  ['CNY', 'cny|rmb|yuan|人民币|元'],
  ['RUB', 'rub|₽|руб|рубль|рубля|рублей|ruble|rubles|roubles'],
  ['TRY', '₺|turkish lira|turkish liras'],
  ['CHF', 'chf|swiss francs'],
  ['CAD', 'cad|canadian dollars|c$'],
  ['AUD', 'aud|australian dollars|a$'],
  [null, 'riyal|riyals|rial|rials|ريال|ريالات|ريالا|﷼'],
  [null, 'dinar|dinars|دينار|دنانير'],
  [null, 'pound|pounds|جنيه|جنيهات'],
  [null, 'rupee|rupees|rs|روبية|روپے|रुपये'],
  [null, 'lira|liras|ليرة|yen|¥'],
];
