import type { Database, Sql } from '../database.ts';
import type { Parameters } from './parameters.ts';

/** A term as it is compared: without case and accents. */
export interface FoldedTerm {
  folded: string;
  /** The same with `%` and `_` as plain characters. */
  pattern: string;
}

/**
 * Lower than pg_trgm's own 0.6, which misses one wrong letter in a word of six. The second is for when
 * nothing at all is like the term: a wrong letter in a word of five.
 */
const WORD_SIMILARITIES = ['0.4', '0.3'];
const SHORTEST_TRIGRAM = 3;
const ARABIC = /\p{Script=Arabic}/u;

/** Runs `work` with the term folded and with small typing errors forgiven, as few as find something. */
export async function withTerm<T>(
  database: Database,
  term: string,
  work: (sql: Sql, term: FoldedTerm) => Promise<T>,
  isEmpty: (result: T) => boolean,
): Promise<T> {
  return database.transaction(
    async (sql) => {
      let result = await work(sql, await foldTerm(sql, term, WORD_SIMILARITIES[0]));
      for (const similarity of WORD_SIMILARITIES.slice(1)) {
        if (!isEmpty(result)) break;
        result = await work(sql, await foldTerm(sql, term, similarity));
      }
      return result;
    },
    { readOnly: true },
  );
}

async function foldTerm(sql: Sql, term: string, similarity = '0.6'): Promise<FoldedTerm> {
  const [found] = await sql.query<FoldedTerm & { setting: string }>(
    `select f_unaccent($1) as folded, f_like(f_unaccent($1)) as pattern,
       set_config('pg_trgm.word_similarity_threshold', $2, true) as setting`,
    [term, similarity],
  );
  return { folded: found?.folded ?? '', pattern: found?.pattern ?? '' };
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
  { folded, pattern }: FoldedTerm,
  { names, texts }: SearchColumns,
  parameters: Parameters,
): TermSql {
  const term = parameters.add(folded);
  const like = parameters.add(pattern);
  const isShort = folded.length < SHORTEST_TRIGRAM;
  const anywhere = (column: string) => `${column} like '%' || ${like} || '%'`;
  const wordStart = (column: string) =>
    `${column} like ${like} || '%' or ${column} like '% ' || ${like} || '%'`;
  const alike = (column: string) => `${column} % ${term} or ${column} %> ${term}`;
  const any = (columns: readonly string[], test: (column: string) => string) =>
    columns.map(test).join(' or ');
  const likeness = names.map(
    (name) => `similarity(${name}, ${term}) + word_similarity(${term}, ${name})`,
  );
  return {
    where: isShort ? any(texts, wordStart) : `${any(texts, anywhere)} or ${any(names, alike)}`,
    isExact: any(names, (name) => `${name} = ${term}`),
    isPrefix: any(names, (name) => `${name} like ${like} || '%'`),
    similarity: `greatest(${likeness.join(', ')})`,
  };
}

export function rankOrder(
  { isExact, isPrefix, similarity }: TermSql,
  between: readonly string[] = [],
): string[] {
  return [`(${isExact}) desc`, ...between, `(${isPrefix}) desc`, `${similarity} desc`];
}

/** Latin names are not held against Arabic terms, nor the other way round, which halves the work. */
export function isArabic({ folded }: FoldedTerm): boolean {
  return ARABIC.test(folded);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function uuidIn(term: string): string | null {
  return UUID.test(term) ? term : null;
}
