import type { Database, Sql } from '../db/database.ts';
import type { Parameters } from './parameters.ts';

/** A term as it is compared: without case and accents. */
export interface FoldedTerm {
  folded: string;
  /** The same with `%` and `_` as plain characters. */
  pattern: string;
  /** Names that are only like the term count too. */
  isForgiving: boolean;
}

/**
 * What holds the term itself comes alone; typing errors are forgiven where nothing does, the small ones
 * first. pg_trgm's own 0.6 misses a wrong letter in a word of six, 0.5 one in a word of five.
 */
const WORD_SIMILARITIES = ['0.5', '0.3'];
const SHORTEST_TRIGRAM = 3;
/** Of the text, after a space, and after a hyphen, which parts the words of a slug. */
const WORD_STARTS = ['', '% ', '%-'];
/** Signs such as `%` stand at no word's start in particular. */
const SIGN = /[^\p{L}\p{M}\p{N}]/u;
const ARABIC = /\p{Script=Arabic}/u;

/** Runs `work` with the term folded, and again with more forgiveness as long as nothing is found. */
export async function withTerm<T>(
  database: Database,
  term: string,
  work: (sql: Sql, term: FoldedTerm) => Promise<T>,
  isEmpty: (result: T) => boolean,
): Promise<T> {
  return database.transaction(
    async (sql) => {
      const folded = await foldTerm(sql, term);
      let result = await work(sql, folded);
      for (const similarity of folded.folded.length < SHORTEST_TRIGRAM ? [] : WORD_SIMILARITIES) {
        if (!isEmpty(result)) break;
        await sql.query(`select set_config('pg_trgm.word_similarity_threshold', $1, true)`, [
          similarity,
        ]);
        result = await work(sql, { ...folded, isForgiving: true });
      }
      return result;
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

async function foldTerm(sql: Sql, term: string): Promise<FoldedTerm> {
  const [found] = await sql.query<{ folded: string; pattern: string }>(
    `select f_unaccent($1) as folded, f_like(f_unaccent($1)) as pattern`,
    [term],
  );
  return { folded: found?.folded ?? '', pattern: found?.pattern ?? '', isForgiving: false };
}

export interface SearchColumns {
  /** Folded names, compared with forgiveness. */
  names: readonly string[];
  /** Folded texts in which the term may stand anywhere. */
  texts: readonly string[];
}

export interface TermSql {
  where: string;
  isExact: string;
  isPrefix: string;
  similarity: string;
}

/** "Exact name first, then prefix, then the rest by similarity", as SQL over the columns given. */
export function termSql(
  term: FoldedTerm,
  { names, texts }: SearchColumns,
  parameters: Parameters,
): TermSql {
  const folded = parameters.add(term.folded);
  const like = parameters.add(term.pattern);
  const any = (columns: readonly string[], test: (column: string) => string) =>
    columns.map(test).join(' or ');
  const likeness = names.map(
    (name) => `similarity(${name}, ${folded}) + word_similarity(${folded}, ${name})`,
  );
  return {
    where: term.isForgiving
      ? any(names, (name) => `${name} %> ${folded}`)
      : any(texts, holds(term, like)),
    isExact: any(names, (name) => `${name} = ${folded}`),
    isPrefix: any(names, (name) => `${name} like ${like} || '%'`),
    similarity: `greatest(${likeness.join(', ')})`,
  };
}

/** Anywhere in the text; one or two letters only at the start of a word, where an index finds them. */
export function holds({ folded }: FoldedTerm, like: string): (column: string) => string {
  if (folded.length >= SHORTEST_TRIGRAM || SIGN.test(folded))
    return (column) => `${column} like '%' || ${like} || '%'`;
  return (column) =>
    `(${WORD_STARTS.map((start) => `${column} like '${start}' || ${like} || '%'`).join(' or ')})`;
}

export function rankOrder(
  { isExact, isPrefix, similarity }: TermSql,
  between: readonly string[] = [],
): string[] {
  return [`(${isExact}) desc`, ...between, `(${isPrefix}) desc`, `${similarity} desc`];
}

/** Where the name of a place may hold the term: `name` is in any script, `nameAr` in Arabic. */
export function placeNames(term: FoldedTerm): string[] {
  return isArabic(term) ? ['search_name_ar', 'search_name'] : ['search_name'];
}

/** Latin names are not held against Arabic terms, nor the other way round, which halves the work. */
function isArabic({ folded }: FoldedTerm): boolean {
  return ARABIC.test(folded);
}
