import { currencyNames, scaleNames, type ScaleName } from './locale-names.ts';
import { decimal, type Decimal, type Numeral } from './numeral.ts';
import { phraseKey } from './tokens.ts';

/** From three hundred on, in one word: خمسمائة, خمسمئة. */
const ARABIC_HUNDREDS = 'ثلاث|تلات / اربع / خمس / ست / سبع / ثمان|ثماني|تمان / تسع'.replaceAll(
  /[^ |/]+/g,
  (stem) => ['مائة', 'مئة', 'مية', 'ميت'].map((hundred) => stem + hundred).join('|'),
);

const RANKS = {
  unit: { first: 0, step: 1 },
  teen: { first: 10, step: 1 },
  ten: { first: 20, step: 10 },
  hundred: { first: 100, step: 100 },
  hundreds: { first: 200, step: 100 },
};

/** Ascending values, separated by ` / `. `|` separates the spellings of one. */
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

/** By the digits after the point. As one phrase, `three quarters` does not lose its count. */
const FRACTIONS = {
  '5': 'half|نصف|نص',
  '25': 'quarter|ربع',
  '75': 'three quarters|three quarter|ثلاثة أرباع|ثلاث أرباع',
};

/* `Intl` has more. `mil`, `mm`, `b` and `l` are ambiguous. مليونا and ألفا are one after a count, one or two without. */
const SCALES: Readonly<Record<ScaleForm, Readonly<Record<number, string>>>> = {
  whole: { 3: 'الألف', 5: 'lakh|lac', 6: 'المليون', 7: 'crore', 9: 'المليار|بليون' },
  counted: {
    3: 'grand|thousands|ألفا',
    4: '萬',
    5: 'lakhs|lacs',
    6: 'm|mn|mio|mln|mill|مليونا|млн',
    7: 'cr|crores',
    9: 'bn|billions|млрд',
  },
  abbreviated: { 3: 'k|к|тыс' },
};
const DUAL_SCALES = { 3: 'ألفين|ألفان', 6: 'مليونين|مليونان', 9: 'مليارين|ملياران' };

/** Only `whole` needs no count. Nothing is added to `abbreviated`: `80k and 90` may be two amounts. */
export type ScaleForm = ScaleName[2] | 'abbreviated';

/* Without `ما يزيد عن`, which is "more than" in a book and "at most" in Cairo, and `ما يقل عن`. */
const BOUNDS = {
  min: {
    before:
      'over|above|more than|greater than|more than or equal to|greater than or equal to|exceed|exceeds|' +
      'exceeding|not less than|no less than|starting from|starting at|>|>=|≥|أكبر من|أكثر من|ازيد من|أعلى من|' +
      'فوق|يتجاوز|تتجاوز|لا أقل من|لا يقل عن|لا تقل عن|ما لا يقل عن|ابتداء من|بدءا من|اعتبارا من',
    after:
      '+|plus|and above|or above|& above|and more|or more|& more|and up|and over|or over|upwards|onwards|' +
      'and higher|or higher|or greater|فما فوق|وما فوق|فأكثر|أو أكثر|و أكثر|و فوق|أو أعلى|كحد أدنى',
    both: 'min|minimum|at least|على الأقل|بحد أدنى|حد أدنى',
  },
  max: {
    before:
      'up to|upto|under|below|less than|lower than|less than or equal to|not more than|no more than|до|<|<=|≤|' +
      'not exceeding|within|maximum of|max of|أقل من|أصغر من|لا أكثر من|يصل إلى|تصل إلى|لا يتجاوز|لا تتجاوز|' +
      'لا يزيد عن|لا تزيد عن|ما لا يزيد عن|ما لا يتجاوز|خلال|في غضون|تحت|لحد|لغاية|حتى',
    after:
      'or less|and less|and below|or below|& below|and under|or under|tops|فأقل|أو أقل|و أقل|فما دون',
    both: 'max|maximum|at most|بحد أقصى|كحد أقصى|حد أقصى|على الأكثر',
  },
};

const CONNECTORS = {
  from: 'from|من|от',
  to: 'to|till|until|through|إلى|ل|لـ',
  dash: '-',
  tilde: '~',
  between: 'between|anything between|بين|ما بين|entre|между|zwischen',
  and: 'and|&|و|et|и|und',
  of: 'of|of a',
  article: 'a|an',
  approximately:
    'about|around|approx|approximately|roughly|nearly|almost|circa|حوالي|حوالى|تقريبا|نحو|قرابة|' +
    'ما يقارب|بحدود|في حدود|حدود',
  filler:
    'budget|my budget|budget is|my budget is|budget:|my budget:|only|please|negotiable|(negotiable)|' +
    'الميزانية|ميزانيتي|فقط|لا غير|من فضلك',
  suffix: '/-|/ -',
};

/* `Intl` has more. A word of several currencies has no code, except that dirham and dollar are AED and USD here. */
const CURRENCIES: readonly (readonly [code: string | null, phrases: string])[] = [
  [
    'AED',
    'درهم|دراهم|درهما|dirham|dirhams|dhs|dh|dhm|dhms|uae dirham|uae dirhams|emirati dirham|emirati dirhams|' +
      'د إ|\u20c3|дирхам|дирхама|дирхамов|迪拉姆',
  ],
  [
    'USD',
    'دولار|دولارا|دولارات|dollar|dollars|$|u.s. dollars|american dollars|доллар|доллара|долларов|dolar|دلار|美元|美金',
  ],
  ['EUR', 'يورو|اورو|euro|euros|евро|欧元'],
  ['GBP', '£|sterling|pound sterling|pounds sterling'],
  ['SAR', 'sr|\u20c1'],
  ['KWD', 'kd'],
  ['MYR', 'rm'],
  ['CNY', 'rmb|yuan|人民币|元'],
  ['RUB', 'руб|рубль|рубля|рублей|ruble|rubles|roubles'],
  ['KZT', 'тенге'],
  ['CAD', 'c$'],
  ['AUD', 'a$'],
  [null, 'ريال|ريالات|ريالا|riyal|riyals|rial|rials|﷼'],
  [null, 'دينار|دنانير|dinar|dinars'],
  [null, 'جنيه|جنيهات|pound|pounds'],
  [null, 'روبية|rupee|rupees|rs|روپے|रुपये'],
  [null, 'ليرة|lira|liras|yen|¥'],
];

/** The reading keeps the unit, so that three bedrooms are never a budget of 3. `two` includes the count: غرفتين. */
const UNITS: Readonly<Record<string, readonly [any: string, two?: string]>> = {
  bedroom: [
    'bedroom|bedrooms|bed|beds|br|brs|bhk|bdr|غرفة|غرف|غرفة نوم|غرف نوم',
    'غرفتين|غرفتان|غرفتين نوم|غرفتي نوم|غرفتا نوم',
  ],
  bathroom: ['bathroom|bathrooms|bath|baths|حمام|حمامات', 'حمامين|حمامان'],
  sqft: ['sqft|sq ft|sq. ft|sq feet|sq. feet|square feet|square foot|sft|قدم|قدم مربع|قدم مربعة'],
  sqm: [
    'sqm|sq m|sq. m|sq meters|sq. meters|sq metres|square meters|square metres|square meter|متر مربع|متر',
  ],
  person: ['person|persons|people|adults|شخص|أشخاص', 'شخصين|شخصان'],
  year: ['year|years|yrs|yr|سنة|سنوات|سنين', 'سنتين|سنتان'],
  month: ['month|months|شهر|أشهر|شهور', 'شهرين|شهران'],
  week: ['week|weeks|أسبوع|أسابيع', 'أسبوعين|أسبوعان'],
  day: ['day|days|يوم|أيام', 'يومين|يومان'],
  percent: ['%|percent|per cent|في المئة|بالمئة|بالمائة'],
};

export type BoundSide = keyof typeof BOUNDS;

/** `fixed`: within a word for two millions or one room, which takes no other number word. */
type CountRank = `${keyof typeof COUNTS}-${keyof typeof RANKS}` | 'zero' | 'fixed';

export type Lexeme =
  | { readonly kind: 'numeral'; readonly numeral: Numeral }
  | { readonly kind: 'count'; readonly value: number; readonly rank: CountRank }
  | { readonly kind: 'scale'; readonly value: Decimal; readonly form: ScaleForm }
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

const LEXICON = new Map<string, Lexeme[]>();
const LONGEST = new Map<string, number>();

function add(phrases: string, ...lexemes: Lexeme[]): void {
  for (const key of phrases.split('|').map(phraseKey)) {
    const [first = '', ...others] = key.split(' ');
    LEXICON.set(key, lexemes);
    LONGEST.set(first, Math.max(others.length + 1, LONGEST.get(first) ?? 0));
  }
}

/** At the first text, since the names of `Intl` take time. These lists overrule `Intl`. */
function fillLexicon(): void {
  const scale = (zeros: string | number, form: ScaleForm) =>
    ({ kind: 'scale', value: decimal('1'.padEnd(1 + Number(zeros), '0')), form }) as const;
  const fixed = (value: number) => ({ kind: 'count', value, rank: 'fixed' }) as const;
  for (const [name, zeros, form] of scaleNames()) add(name, scale(zeros, form));
  for (const [form, words] of entries(SCALES))
    for (const [zeros, phrases] of Object.entries(words)) add(phrases, scale(zeros, form));
  for (const [zeros, phrases] of Object.entries(DUAL_SCALES))
    add(phrases, fixed(2), scale(zeros, 'counted'));
  for (const { code, names, arabicName } of currencyNames())
    add([...names, ...arabicForms(arabicName)].join('|'), { kind: 'currency', code, word: '' });
  for (const [code, phrases] of CURRENCIES) add(phrases, { kind: 'currency', code, word: '' });
  for (const [language, ranks] of entries(COUNTS))
    for (const [name, words] of entries(ranks))
      for (const [place, spellings] of words.split(' / ').entries()) {
        const value = RANKS[name].first + place * RANKS[name].step;
        const rank = value === 0 ? 'zero' : (`${language}-${name}` as const);
        add(spellings, { kind: 'count', value, rank });
      }
  for (const [digits, phrases] of entries(FRACTIONS))
    add(phrases, { kind: 'fraction', value: decimal('0', digits) });
  for (const [unit, [any, two]] of entries(UNITS)) {
    add(any, { kind: 'unit', unit });
    add(any.replace(/(?=\||$)/gu, ' واحد'), fixed(1), { kind: 'unit', unit });
    add(any.replace(/(?=\||$)/gu, ' واحدة'), fixed(1), { kind: 'unit', unit });
    if (two) add(two, fixed(2), { kind: 'unit', unit });
  }
  for (const [side, places] of entries(BOUNDS))
    for (const [place, phrases] of entries(places)) add(phrases, { kind: 'bound', side, place });
  for (const [kind, phrases] of entries(CONNECTORS)) add(phrases, { kind });
  for (const word of ['', 'mil']) LEXICON.delete(word);
}

/** `دنانير أردنية` of `دينار أردني`: in the plural, the adjective is feminine. */
function arabicForms(name: string): string[] {
  const [noun = '', ...others] = name.split(' ');
  const listed = CURRENCIES.map(([, phrases]) => phrases.split('|'));
  const forms = listed.find((phrases) => phrases.includes(noun)) ?? [noun];
  return forms.flatMap((form) => [[form, ...others].join(' '), [form, ...others].join(' ') + 'ة']);
}

function entries<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

export function lexemesOf(phrase: string): readonly Lexeme[] {
  if (LEXICON.size === 0) fillLexicon();
  return LEXICON.get(phrase) ?? [];
}

export function longestPhraseFrom(word: string): number {
  if (LEXICON.size === 0) fillLexicon();
  return LONGEST.get(word) ?? 0;
}

export function lexemeOf(word = ''): Lexeme | undefined {
  const [lexeme, another] = lexemesOf(word);
  return another === undefined ? lexeme : undefined;
}
