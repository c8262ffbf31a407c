import { decimal, type Decimal, type Numeral } from './numeral.ts';
import { phraseKey } from './tokens.ts';

/** The stems from three hundred on; the hundred is written in one word with its count: خمسمائة, خمسمئة. */
const ARABIC_HUNDREDS = 'ثلاث|تلات / اربع / خمس / ست / سبع / ثمان|ثماني|تمان / تسع'.replaceAll(
  /[^ |/]+/g,
  (stem) => ['مائة', 'مئة', 'مية'].map((hundred) => stem + hundred).join('|'),
);

/** The first value of each rank of counts, and the step from one to the next. */
const RANKS = {
  unit: { first: 0, step: 1 },
  teen: { first: 10, step: 1 },
  ten: { first: 20, step: 10 },
  hundred: { first: 100, step: 100 },
  hundreds: { first: 200, step: 100 },
};

/** Words of ascending values, ` / ` between two values and `|` between the spellings of one. */
const COUNTS = {
  en: {
    unit: 'zero / one / two / three / four / five / six / seven / eight / nine',
    teen: 'ten / eleven / twelve / thirteen / fourteen / fifteen / sixteen / seventeen / eighteen / nineteen',
    ten: 'twenty / thirty / forty|fourty / fifty / sixty / seventy / eighty / ninety',
    hundred: 'hundred|hundreds',
    hundreds: '',
  },
  ar: {
    unit:
      'صفر / واحد|واحدة / اثنان|اثنين|اتنين|اثنتان|اثنتين|اثنا|اثني / ثلاث|ثلاثة|تلاتة|تلات / أربع|أربعة / ' +
      'خمس|خمسة / ست|ستة / سبع|سبعة / ثمان|ثماني|ثمانية|تمانية / تسع|تسعة',
    teen: 'عشر|عشرة / أحد عشر|إحدى عشرة|حداشر / اتناشر / تلتاشر / أربعتاشر / خمستاشر / ستاشر / سبعتاشر / تمنتاشر / تسعتاشر',
    ten:
      'عشرون|عشرين / ثلاثون|ثلاثين|تلاتين / أربعون|أربعين / خمسون|خمسين / ستون|ستين / سبعون|سبعين / ' +
      'ثمانون|ثمانين|تمانين / تسعون|تسعين',
    hundred: 'مئة|مائة|مية|ميت',
    hundreds: `مئتان|مئتين|مئتي|مئتا|مائتان|مائتين|مائتي|ميتين|مائتا / ${ARABIC_HUNDREDS}`,
  },
};

/** Fractions by their digits after the point. `three quarters` is one phrase, so that no count can be cut off it. */
const FRACTIONS = {
  '5': 'half|نصف|نص',
  '25': 'quarter|ربع',
  '75': 'three quarters|three quarter|ثلاثة أرباع|ثلاث أرباع',
};

type ScaleWords = {
  readonly zeros: number;
  /** Words that are one without a count: "a million", "مليون". */
  readonly whole: string;
  /** Only after a count. */
  readonly counted: string;
  /** Likewise, and no number is added behind it: `80k and 90` may be two amounts. */
  readonly abbreviated?: string;
  /** Two of them in one word. */
  readonly dual: string;
};

/*
 * English and Arabic, and the words of the other residents where they are beyond doubt. `mil` is left
 * out: a million to some, a thousand in Spanish, Turkish and Portuguese; so are `mm`, `b` and `l`.
 * مليونا and ألفا are one after a count, and two or one without.
 */
const SCALES: readonly ScaleWords[] = [
  {
    zeros: 3,
    whole: 'thousand|ألف|الألف|тысяча|ہزار|هزار|हज़ार',
    counted: 'grand|thousands|ألفا|آلاف|тысяч|тысячи|千',
    abbreviated: 'k|к|тыс',
    dual: 'ألفين|ألفان',
  },
  { zeros: 4, whole: '', counted: '万|萬', dual: '' },
  { zeros: 5, whole: 'lakh|lac|लाख|لاکھ', counted: 'lakhs|lacs', dual: '' },
  {
    zeros: 6,
    whole: 'million|مليون|المليون|миллион|میلیون',
    counted: 'm|mn|mio|mln|mill|millions|مليونا|ملايين|млн|миллиона|миллионов',
    dual: 'مليونين|مليونان',
  },
  { zeros: 7, whole: 'crore|करोड़|کروڑ', counted: 'cr|crores', dual: '' },
  { zeros: 8, whole: '', counted: '亿|億', dual: '' },
  {
    zeros: 9,
    whole: 'billion|مليار|المليار|بليون|миллиард|میلیارد',
    counted: 'bn|billions|مليارات|млрд|миллиарда|миллиардов',
    dual: 'مليارين|ملياران',
  },
];

/* `ما يزيد عن` is "more than" in a book and "at most" in Cairo, so it and `ما يقل عن` are left out. */
const BOUNDS = {
  min: {
    before:
      'over|above|more than|greater than|not less than|no less than|starting from|starting at|>|>=|≥|' +
      'أكثر من|ازيد من|أعلى من|فوق|لا يقل عن|لا تقل عن|ما لا يقل عن|ابتداء من|بدءا من|اعتبارا من',
    after:
      '+|plus|and above|or above|& above|and more|or more|& more|and up|and over|or over|upwards|onwards|' +
      'and higher|or higher|فما فوق|وما فوق|فأكثر|أو أكثر|و أكثر|وأكثر|وفوق|أو أعلى|كحد أدنى',
    both: 'min|minimum|at least|على الأقل|بحد أدنى|حد أدنى',
  },
  max: {
    before:
      'up to|upto|under|below|less than|lower than|not more than|no more than|not exceeding|within|<|<=|≤|' +
      'maximum of|max of|أقل من|لا يتجاوز|لا تتجاوز|لا يزيد عن|لا تزيد عن|ما لا يزيد عن|ما لا يتجاوز|خلال|في غضون|تحت|لحد|لغاية|حتى',
    after:
      'or less|and less|and below|or below|& below|and under|or under|tops|فأقل|أو أقل|و أقل|وأقل|فما دون',
    both: 'max|maximum|at most|بحد أقصى|كحد أقصى|حد أقصى|على الأكثر',
  },
};

const CONNECTORS = {
  from: 'from|من',
  to: 'to|till|until|إلى|الى|ل|لـ',
  dash: '-',
  tilde: '~',
  between: 'between|بين|ما بين',
  and: 'and|&|و',
  of: 'of|of a',
  article: 'a|an',
  approximately:
    'about|around|approx|approximately|roughly|nearly|almost|circa|حوالي|حوالى|تقريبا|نحو|قرابة|' +
    'ما يقارب|بحدود|في حدود',
  filler: 'only|فقط|لا غير|/-|/ -',
};

/*
 * A word that fits several currencies has no code: the word is kept, and the answer's own `currency`
 * decides. A dirham is the Emirati one and a dollar the American one in this market; a riyal, dinar,
 * pound, rupee or lira names no currency without its country.
 */
const CURRENCIES: readonly (readonly [code: string | null, phrases: string])[] = [
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

/**
 * Units other than money. The reading keeps the unit, so that three bedrooms are never a budget of 3. The words for one and
 * two hold their own count: غرفتين is two rooms.
 */
const UNITS: Readonly<Record<string, { any: string; one?: string; two?: string }>> = {
  bedroom: {
    any: 'bedroom|bedrooms|bed|beds|br|brs|bhk|bdr|غرفة|غرف|غرفة نوم|غرف نوم|غرفه نوم',
    one: 'غرفة واحدة|غرفة نوم واحدة',
    two: 'غرفتين|غرفتان|غرفتين نوم|غرفتي نوم|غرفتا نوم',
  },
  bathroom: {
    any: 'bathroom|bathrooms|bath|baths|حمام|حمامات',
    one: 'حمام واحد',
    two: 'حمامين|حمامان',
  },
  sqft: {
    any: 'sqft|sq ft|sq. ft|sq.ft.|sq feet|sq. feet|square feet|square foot|sft|قدم|قدم مربع|قدم مربعة',
  },
  sqm: {
    any: 'sqm|sq m|sq. m|sq meters|sq. meters|sq metres|square meters|square metres|square meter|متر مربع|متر',
  },
  person: { any: 'person|persons|people|adults|شخص|أشخاص', two: 'شخصين|شخصان' },
  year: { any: 'year|years|yrs|yr|سنة|سنوات|سنين', one: 'سنة واحدة', two: 'سنتين|سنتان' },
  month: { any: 'month|months|شهر|أشهر|شهور', one: 'شهر واحد', two: 'شهرين|شهران' },
  week: { any: 'week|weeks|أسبوع|أسابيع', one: 'أسبوع واحد', two: 'أسبوعين|أسبوعان' },
  day: { any: 'day|days|يوم|أيام', one: 'يوم واحد', two: 'يومين|يومان' },
  percent: { any: '%|percent|per cent|في المئة|بالمئة|بالمائة' },
};

export type BoundSide = keyof typeof BOUNDS;

/** What a word or sign of a quantity does in its sentence. */
export type Lexeme =
  | { readonly kind: 'numeral'; readonly numeral: Numeral }
  | {
      readonly kind: 'count';
      readonly value: number;
      readonly rank: keyof typeof RANKS;
      readonly language: keyof typeof COUNTS;
    }
  | {
      readonly kind: 'scale';
      readonly value: Decimal;
      /** Two of them in one word: مليونين. */
      readonly dual: boolean;
      /** `k`, `millions`: no amount without a count before it. */
      readonly needsCount: boolean;
      /** `k`: no number is added behind it. */
      readonly abbreviated: boolean;
    }
  | { readonly kind: 'fraction'; readonly value: Decimal }
  | { readonly kind: 'currency'; readonly code: string | null; readonly word: string }
  | { readonly kind: 'unit'; readonly unit: string }
  | {
      readonly kind: 'bound';
      readonly side: BoundSide;
      readonly place: keyof (typeof BOUNDS)[BoundSide];
    }
  | { readonly kind: keyof typeof CONNECTORS | 'minus' };

export type LexemeKind = Lexeme['kind'];
export type LexemeOf<Kind extends LexemeKind> = Extract<Lexeme, { kind: Kind }>;

/** The words of a quantity by their folded spelling; a count and its unit in one word are two lexemes. */
const LEXICON = new Map<string, Lexeme[]>();

for (const [language, ranks] of entries(COUNTS)) {
  for (const [rank, words] of entries(ranks)) {
    const { first, step } = RANKS[rank];
    for (const [place, spellings] of words.split(' / ').entries())
      add(spellings, { kind: 'count', value: first + place * step, rank, language });
  }
}
for (const { zeros, whole, counted, abbreviated = '', dual } of SCALES) {
  const value = decimal(`1${'0'.repeat(zeros)}`);
  const scale = { kind: 'scale', value, abbreviated: false } as const;
  add(whole, { ...scale, dual: false, needsCount: false });
  add(counted, { ...scale, dual: false, needsCount: true });
  add(abbreviated, { ...scale, dual: false, needsCount: true, abbreviated: true });
  add(dual, { ...scale, dual: true, needsCount: false });
}
for (const [digits, phrases] of entries(FRACTIONS))
  add(phrases, { kind: 'fraction', value: decimal('0', digits) });
for (const [code, phrases] of CURRENCIES) add(phrases, { kind: 'currency', code, word: '' });
for (const [unit, { any, one = '', two = '' }] of entries(UNITS)) {
  const counted = { kind: 'count', rank: 'unit', language: 'ar' } as const;
  add(any, { kind: 'unit', unit });
  add(one, { ...counted, value: 1 }, { kind: 'unit', unit });
  add(two, { ...counted, value: 2 }, { kind: 'unit', unit });
}
for (const [side, places] of entries(BOUNDS))
  for (const [place, phrases] of entries(places)) add(phrases, { kind: 'bound', side, place });
for (const [kind, phrases] of entries(CONNECTORS)) add(phrases, { kind });

function add(phrases: string, ...lexemes: Lexeme[]): void {
  for (const phrase of phrases.split('|')) if (phrase) LEXICON.set(phraseKey(phrase), lexemes);
}

function entries<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

/** The length of the longest phrase in tokens. */
export const LONGEST_PHRASE = Math.max(
  ...Array.from(LEXICON.keys(), (key) => key.split(' ').length),
);

export function lexemesOf(phrase: string): readonly Lexeme[] {
  return LEXICON.get(phrase) ?? [];
}

/** The lexeme of a word that is a single one. */
export function lexemeOf(word = ''): Lexeme | undefined {
  const [lexeme, another] = lexemesOf(word);
  return another === undefined ? lexeme : undefined;
}
