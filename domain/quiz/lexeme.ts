import type { Decimal } from './decimal.ts';
import type { Numeral } from './numeral.ts';

export type BoundSide = 'min' | 'max';
export type CountRank = 'unit' | 'teen' | 'ten' | 'hundreds' | 'hundred';

/** What a word or sign of a quantity does in its sentence. */
export type Lexeme =
  | { readonly kind: 'numeral'; readonly numeral: Numeral }
  | {
      readonly kind: 'count';
      readonly value: number;
      readonly rank: CountRank;
      readonly language: 'en' | 'ar';
    }
  | {
      readonly kind: 'scale';
      readonly value: Decimal;
      /** Two of them in one word: مليونين. */
      readonly dual: boolean;
      /** `k`, `millions`: no amount without a count before it. */
      readonly needsCount: boolean;
    }
  | { readonly kind: 'fraction'; readonly value: Decimal }
  | { readonly kind: 'currency'; readonly code: string | null; readonly word: string }
  | { readonly kind: 'unit'; readonly unit: string }
  | {
      readonly kind: 'bound';
      readonly side: BoundSide;
      readonly place: 'before' | 'after' | 'both';
    }
  | {
      readonly kind:
        | 'from'
        | 'to'
        | 'dash'
        | 'tilde'
        | 'between'
        | 'and'
        | 'less'
        | 'of'
        | 'article'
        | 'minus'
        | 'point'
        | 'approximately'
        | 'filler';
    };

export type LexemeKind = Lexeme['kind'];
