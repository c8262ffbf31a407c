import type { Decimal } from './decimal.ts';
import type { Numeral } from './numeral.ts';
import type { BoundWords, ConnectorKind } from './words/connectors.ts';

export type BoundSide = BoundWords['side'];
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
  | ({ readonly kind: 'bound' } & Pick<BoundWords, 'side' | 'place'>)
  | { readonly kind: ConnectorKind | 'minus' };

export type LexemeKind = Lexeme['kind'];
