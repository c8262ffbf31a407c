import type { CountRank } from '../lexeme.ts';

export type CountWords = { readonly rank: CountRank; readonly words: Record<string, number> };

/** Words of ascending values, ` / ` between two values and `|` between the spellings of one. */
function counting(from: number, step: number, words: string): Record<string, number> {
  const entries = words
    .split(' / ')
    .flatMap((spellings, at) => spellings.split('|').map((word) => [word, from + at * step]));
  return Object.fromEntries(entries) as Record<string, number>;
}

export const ENGLISH_COUNTS: readonly CountWords[] = [
  {
    rank: 'unit',
    words: counting(0, 1, 'zero / one / two / three / four / five / six / seven / eight / nine'),
  },
  {
    rank: 'teen',
    words: counting(
      10,
      1,
      'ten / eleven / twelve / thirteen / fourteen / fifteen / sixteen / seventeen / eighteen / nineteen',
    ),
  },
  {
    rank: 'ten',
    words: counting(
      20,
      10,
      'twenty / thirty / forty|fourty / fifty / sixty / seventy / eighty / ninety',
    ),
  },
  { rank: 'hundred', words: counting(100, 100, 'hundred|hundreds') },
];

/** The stems from three hundred on; the hundred is written in one word with its count: خمسمائة, خمسمئة. */
const ARABIC_HUNDREDS = 'ثلاث|تلات / اربع / خمس / ست / سبع / ثمان|ثماني|تمان / تسع'.replaceAll(
  /[^ |/]+/g,
  (stem) => ['مائة', 'مئة', 'مية'].map((hundred) => stem + hundred).join('|'),
);

export const ARABIC_COUNTS: readonly CountWords[] = [
  {
    rank: 'unit',
    words: counting(
      0,
      1,
      'صفر / واحد|واحدة / اثنان|اثنين|اتنين|اثنتان|اثنتين|اثنا|اثني / ثلاث|ثلاثة|تلاتة|تلات / أربع|أربعة / ' +
        'خمس|خمسة / ست|ستة / سبع|سبعة / ثمان|ثماني|ثمانية|تمانية / تسع|تسعة',
    ),
  },
  {
    rank: 'teen',
    words: counting(
      10,
      1,
      'عشر|عشرة / أحد عشر|إحدى عشرة|حداشر / اتناشر / تلتاشر / أربعتاشر / خمستاشر / ستاشر / سبعتاشر / تمنتاشر / تسعتاشر',
    ),
  },
  {
    rank: 'ten',
    words: counting(
      20,
      10,
      'عشرون|عشرين / ثلاثون|ثلاثين|تلاتين / أربعون|أربعين / خمسون|خمسين / ستون|ستين / سبعون|سبعين / ' +
        'ثمانون|ثمانين|تمانين / تسعون|تسعين',
    ),
  },
  { rank: 'hundred', words: counting(100, 100, 'مئة|مائة|مية|ميت') },
  {
    rank: 'hundreds',
    words: counting(
      200,
      100,
      `مئتان|مئتين|مئتي|مئتا|مائتان|مائتين|مائتي|ميتين|مائتا / ${ARABIC_HUNDREDS}`,
    ),
  },
];

/** `three quarters` is one phrase, so that no count can be cut off it. */
export const FRACTIONS: Record<string, string> = {
  half: '5',
  quarter: '25',
  'three quarters': '75',
  'three quarter': '75',
  نصف: '5',
  نص: '5',
  ربع: '25',
  'ثلاثة أرباع': '75',
  'ثلاث أرباع': '75',
};

export type ScaleWords = {
  readonly zeros: number;
  /** Without a count they are one: "a million", "مليون". */
  readonly whole: string;
  /** Only after a count. */
  readonly counted: string;
  /** Two of them in one word. */
  readonly dual: string;
};

/*
 * English and Arabic, and the words of the other residents where they are beyond doubt. `mil` is left
 * out: a million to some, a thousand in Spanish, Turkish and Portuguese; so are `mm`, `b` and `l`.
 * مليونا and ألفا are one after a count, and two or one without.
 */
export const SCALES: readonly ScaleWords[] = [
  {
    zeros: 3,
    whole: 'thousand ألف الألف тысяча ہزار هزار हज़ार',
    counted: 'k grand thousands ألفا آلاف тыс тысяч тысячи к 千',
    dual: 'ألفين ألفان',
  },
  { zeros: 4, whole: '', counted: '万 萬', dual: '' },
  { zeros: 5, whole: 'lakh lac लाख لاکھ', counted: 'lakhs lacs', dual: '' },
  {
    zeros: 6,
    whole: 'million مليون المليون миллион میلیون',
    counted: 'm mn mio mln mill millions مليونا ملايين млн миллиона миллионов',
    dual: 'مليونين مليونان',
  },
  { zeros: 7, whole: 'crore करोड़ کروڑ', counted: 'cr crores', dual: '' },
  { zeros: 8, whole: '', counted: '亿 億', dual: '' },
  {
    zeros: 9,
    whole: 'billion مليار المليار بليون миллиард میلیارد',
    counted: 'bn billions مليارات млрд миллиарда миллиардов',
    dual: 'مليارين ملياران',
  },
];
