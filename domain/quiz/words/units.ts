/*
 * A word that fits several currencies has no code: the word is kept, and the answer's own `currency`
 * decides. A dirham is the Emirati one and a dollar the American one in this market; a riyal, dinar,
 * pound, rupee or lira names no currency without its country.
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

/** Units other than money. The reading keeps the unit, so that three bedrooms are never a budget of 3. */
export const UNITS: readonly (readonly [unit: string, phrases: string])[] = [
  ['bedroom', 'bedroom|bedrooms|bed|beds|br|brs|bhk|bdr|غرفة|غرف|غرفة نوم|غرف نوم|غرفه نوم'],
  ['bathroom', 'bathroom|bathrooms|bath|baths|حمام|حمامات'],
  [
    'sqft',
    'sqft|sq ft|sq. ft|sq.ft.|sq feet|sq. feet|square feet|square foot|sft|قدم|قدم مربع|قدم مربعة',
  ],
  [
    'sqm',
    'sqm|sq m|sq. m|sq meters|sq. meters|sq metres|square meters|square metres|square meter|متر مربع|متر',
  ],
  ['person', 'person|persons|people|adults|شخص|أشخاص'],
  ['year', 'year|years|yrs|yr|سنة|سنوات|سنين'],
  ['month', 'month|months|شهر|أشهر|شهور'],
  ['week', 'week|weeks|أسبوع|أسابيع'],
  ['day', 'day|days|يوم|أيام'],
  ['percent', '%|percent|per cent|في المئة|بالمئة|بالمائة'],
];

/** Words that hold their own count: غرفتين is two rooms. */
export const COUNTED_UNITS: readonly (readonly [count: number, unit: string, phrases: string])[] = [
  [1, 'bedroom', 'غرفة واحدة|غرفة نوم واحدة'],
  [2, 'bedroom', 'غرفتين|غرفتان|غرفتين نوم|غرفتي نوم|غرفتا نوم'],
  [1, 'bathroom', 'حمام واحد'],
  [2, 'bathroom', 'حمامين|حمامان'],
  [2, 'person', 'شخصين|شخصان'],
  [1, 'year', 'سنة واحدة'],
  [2, 'year', 'سنتين|سنتان'],
  [1, 'month', 'شهر واحد'],
  [2, 'month', 'شهرين|شهران'],
  [1, 'week', 'أسبوع واحد'],
  [2, 'week', 'أسبوعين|أسبوعان'],
  [1, 'day', 'يوم واحد'],
  [2, 'day', 'يومين|يومان'],
];
