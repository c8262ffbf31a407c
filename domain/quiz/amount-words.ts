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

/** Fractions by their digits after the point. `three quarters` is one phrase, so that no count can be cut off it. */
export const FRACTIONS = {
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
export const SCALES: readonly ScaleWords[] = [
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
export const BOUNDS = {
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

export const CONNECTORS = {
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

export type ConnectorKind = keyof typeof CONNECTORS;

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
