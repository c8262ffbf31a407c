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
  less: 'إلا',
  of: 'of|of a',
  article: 'a|an',
  point: 'point|فاصلة',
  approximately:
    'about|around|approx|approximately|roughly|nearly|almost|circa|حوالي|حوالى|تقريبا|نحو|قرابة|' +
    'ما يقارب|بحدود|في حدود',
  filler: 'only|فقط|لا غير|/-|/ -',
};

export type ConnectorKind = keyof typeof CONNECTORS;
