import type { Database, Sql } from '../db/database.ts';
import type { Page } from './read-page.ts';

/** A term as it is compared, without case and accents; its members are parameters of the search. */
export interface FoldedTerm {
  folded: string;
  /** The folded term with `%` and `_` as plain characters. */
  pattern: string;
  /** Whether names that are only similar to the term match. */
  allowsTypos: boolean;
}

/**
 * Texts that contain the term come alone; typing errors are allowed where none does, the small ones
 * first. pg_trgm's own 0.6 misses a wrong letter in a word of six, 0.5 one in a word of five.
 */
const WORD_SIMILARITIES = ['0.5', '0.3'];
const SHORTEST_TRIGRAM = 3;
/** At the start of the text, after a space, and after a hyphen, which separates the words of a slug. */
const WORD_STARTS = ['', '% ', '%-'];
/** A sign such as `%` may stand anywhere, not only at the start of a word. */
const SIGN = /[^\p{L}\p{M}\p{N}]/u;
const ARABIC = /\p{Script=Arabic}/u;

/** Runs `read` with the term folded, and again with more typing errors allowed as long as nothing is found. */
export async function readWithTerm<Row>(
  database: Database,
  term: string | undefined,
  read: (sql: Sql, term: FoldedTerm | null) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  if (term === undefined) return read(database, null);
  return database.transaction(
    async (sql) => {
      const folded = await foldTerm(sql, term);
      let result = await read(sql, folded);
      for (const similarity of folded.folded.length < SHORTEST_TRIGRAM ? [] : WORD_SIMILARITIES) {
        if (result.total > 0) break;
        await sql.query(`select set_config('pg_trgm.word_similarity_threshold', $1, true)`, [
          similarity,
        ]);
        result = await read(sql, { ...folded, allowsTypos: true });
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
  return { folded: found?.folded ?? '', pattern: found?.pattern ?? '', allowsTypos: false };
}

interface SearchColumns {
  /** Folded names, compared by similarity. */
  names: readonly string[];
  /** Folded texts that may contain the term anywhere. */
  texts: readonly string[];
}

/** "Exact name first, then prefix, then the rest by similarity", as SQL over the columns given. */
export function termSql(term: FoldedTerm, { names, texts }: SearchColumns) {
  const any = (columns: readonly string[], test: (column: string) => string) =>
    columns.map(test).join(' or ');
  const similarities = names.map(
    (name) => `similarity(${name}, :folded) + word_similarity(:folded, ${name})`,
  );
  return {
    where: term.allowsTypos
      ? any(names, (name) => `${name} %> :folded`)
      : any(texts, containsTerm(term)),
    isExact: any(names, (name) => `${name} = :folded`),
    isPrefix: any(names, (name) => `${name} like :pattern || '%'`),
    similarity: `greatest(${similarities.join(', ')})`,
  };
}

/** Anywhere in the text; one or two letters only at the start of a word, where an index finds them. */
export function containsTerm({ folded }: FoldedTerm): (column: string) => string {
  if (folded.length >= SHORTEST_TRIGRAM || SIGN.test(folded))
    return (column) => `${column} like '%' || :pattern || '%'`;
  return (column) =>
    `(${WORD_STARTS.map((start) => `${column} like '${start}' || :pattern || '%'`).join(' or ')})`;
}

export function rankOrder(
  { isExact, isPrefix, similarity }: ReturnType<typeof termSql>,
  between: readonly string[] = [],
): string[] {
  return [`(${isExact}) desc`, ...between, `(${isPrefix}) desc`, `${similarity} desc`];
}

/**
 * The columns of a location's names that may contain the term: `name` is in any script, `nameAr` in
 * Arabic. Latin terms are not compared with Arabic names, which halves the work.
 */
export function locationNameColumns({ folded }: FoldedTerm): string[] {
  return ARABIC.test(folded) ? ['search_name_ar', 'search_name'] : ['search_name'];
}
