import type { Decimal } from './decimal.ts';
import type { Numeral } from './numeral.ts';
import type { BOUNDS, ConnectorKind } from './words/connectors.ts';
import type { COUNTS, RANKS } from './words/numbers.ts';

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
    }
  | { readonly kind: 'fraction'; readonly value: Decimal }
  | { readonly kind: 'currency'; readonly code: string | null; readonly word: string }
  | { readonly kind: 'unit'; readonly unit: string }
  | {
      readonly kind: 'bound';
      readonly side: BoundSide;
      readonly place: keyof (typeof BOUNDS)[BoundSide];
    }
  | { readonly kind: ConnectorKind | 'minus' };

export type LexemeKind = Lexeme['kind'];
export type LexemeOf<Kind extends LexemeKind> = Extract<Lexeme, { kind: Kind }>;

/** The place up to which lexemes are read. */
export class Cursor {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lexemes.length;
  }

  peek(): Lexeme | undefined {
    return this.#lexemes[this.#at];
  }

  /** Takes the next lexeme where `read` finds a meaning of it. */
  takeAs<T>(read: (lexeme: Lexeme) => T | null): T | null {
    const lexeme = this.peek();
    const meaning = lexeme === undefined ? null : read(lexeme);
    if (meaning !== null) this.#at += 1;
    return meaning;
  }

  /** Takes the next lexeme where it is of this kind and fits. */
  take<Kind extends LexemeKind>(
    kind: Kind,
    fits: (lexeme: LexemeOf<Kind>) => boolean = () => true,
  ): LexemeOf<Kind> | null {
    const isWanted = (lexeme: Lexeme): lexeme is LexemeOf<Kind> => lexeme.kind === kind;
    return this.takeAs((lexeme) => (isWanted(lexeme) && fits(lexeme) ? lexeme : null));
  }

  /** Takes nothing where `read` finds nothing. */
  attempt<T>(read: () => T | null): T | null {
    const start = this.#at;
    const found = read();
    if (found === null) this.#at = start;
    return found;
  }
}
