export type ScaleWords = {
  readonly zeros: number;
  /** May stand for one by themselves: "a million", "مليون". */
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
