/** The stems from three hundred on; the hundred is written in one word with its count: خمسمائة, خمسمئة. */
const ARABIC_HUNDREDS = 'ثلاث|تلات / اربع / خمس / ست / سبع / ثمان|ثماني|تمان / تسع'.replaceAll(
  /[^ |/]+/g,
  (stem) => ['مائة', 'مئة', 'مية'].map((hundred) => stem + hundred).join('|'),
);

/** The first value of each rank of counts, and the step from one to the next. */
export const RANKS = {
  unit: { first: 0, step: 1 },
  teen: { first: 10, step: 1 },
  ten: { first: 20, step: 10 },
  hundred: { first: 100, step: 100 },
  hundreds: { first: 200, step: 100 },
};

/** Words of ascending values, ` / ` between two values and `|` between the spellings of one. */
export const COUNTS = {
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

/** By the digits after the point. `three quarters` is one phrase, so that no count can be cut off it. */
export const FRACTIONS = {
  '5': 'half|نصف|نص',
  '25': 'quarter|ربع',
  '75': 'three quarters|three quarter|ثلاثة أرباع|ثلاث أرباع',
};

type ScaleWords = {
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
    whole: 'thousand|ألف|الألف|тысяча|ہزار|هزار|हज़ार',
    counted: 'k|grand|thousands|ألفا|آلاف|тыс|тысяч|тысячи|к|千',
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
