import type { CountRank } from '../lexeme.ts';

export type CountWords = { readonly rank: CountRank; readonly words: Record<string, number> };

export const ENGLISH_COUNTS: readonly CountWords[] = [
  {
    rank: 'unit',
    words: {
      zero: 0,
      one: 1,
      two: 2,
      three: 3,
      four: 4,
      five: 5,
      six: 6,
      seven: 7,
      eight: 8,
      nine: 9,
    },
  },
  {
    rank: 'teen',
    words: {
      ten: 10,
      eleven: 11,
      twelve: 12,
      thirteen: 13,
      fourteen: 14,
      fifteen: 15,
      sixteen: 16,
      seventeen: 17,
      eighteen: 18,
      nineteen: 19,
    },
  },
  {
    rank: 'ten',
    words: {
      twenty: 20,
      thirty: 30,
      forty: 40,
      fourty: 40,
      fifty: 50,
      sixty: 60,
      seventy: 70,
      eighty: 80,
      ninety: 90,
    },
  },
  { rank: 'hundred', words: { hundred: 100, hundreds: 100 } },
];

const ARABIC_HUNDRED_STEMS: Record<string, number> = {
  ثلاث: 300,
  تلات: 300,
  اربع: 400,
  خمس: 500,
  ست: 600,
  سبع: 700,
  ثمان: 800,
  ثماني: 800,
  تمان: 800,
  تسع: 900,
};

/** Both ways to write the hundred, in one word with its count: خمسمائة, خمسمئة. */
const ARABIC_HUNDREDS = Object.fromEntries(
  Object.entries(ARABIC_HUNDRED_STEMS).flatMap(([stem, value]) =>
    ['مائة', 'مئة', 'مية'].map((hundred) => [stem + hundred, value]),
  ),
);

export const ARABIC_COUNTS: readonly CountWords[] = [
  {
    rank: 'unit',
    words: {
      صفر: 0,
      واحد: 1,
      واحدة: 1,
      اثنان: 2,
      اثنين: 2,
      اتنين: 2,
      اثنتان: 2,
      اثنتين: 2,
      اثنا: 2,
      اثني: 2,
      ثلاث: 3,
      ثلاثة: 3,
      تلاتة: 3,
      تلات: 3,
      أربع: 4,
      أربعة: 4,
      خمس: 5,
      خمسة: 5,
      ست: 6,
      ستة: 6,
      سبع: 7,
      سبعة: 7,
      ثمان: 8,
      ثماني: 8,
      ثمانية: 8,
      تمانية: 8,
      تسع: 9,
      تسعة: 9,
    },
  },
  {
    rank: 'teen',
    words: {
      عشر: 10,
      عشرة: 10,
      'أحد عشر': 11,
      'إحدى عشرة': 11,
      حداشر: 11,
      اتناشر: 12,
      تلتاشر: 13,
      أربعتاشر: 14,
      خمستاشر: 15,
      ستاشر: 16,
      سبعتاشر: 17,
      تمنتاشر: 18,
      تسعتاشر: 19,
    },
  },
  {
    rank: 'ten',
    words: {
      عشرون: 20,
      عشرين: 20,
      ثلاثون: 30,
      ثلاثين: 30,
      تلاتين: 30,
      أربعون: 40,
      أربعين: 40,
      خمسون: 50,
      خمسين: 50,
      ستون: 60,
      ستين: 60,
      سبعون: 70,
      سبعين: 70,
      ثمانون: 80,
      ثمانين: 80,
      تمانين: 80,
      تسعون: 90,
      تسعين: 90,
    },
  },
  { rank: 'hundred', words: { مئة: 100, مائة: 100, مية: 100, ميت: 100 } },
  {
    rank: 'hundreds',
    words: {
      مئتان: 200,
      مئتين: 200,
      مئتي: 200,
      مئتا: 200,
      مائتان: 200,
      مائتين: 200,
      مائتي: 200,
      ميتين: 200,
      مائتا: 200,
      ...ARABIC_HUNDREDS,
    },
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
