import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import type { Page } from '../db/page.ts';
import { statement, type Statement } from '../db/statement.ts';

/** A term as it is compared, without case and accents; its members are parameters of the search. */
export interface FoldedTerm {
  folded: string;
  /** The folded term with `%` and `_` as plain characters. */
  pattern: string;
  allowsTypos: boolean;
  /** That of the lists in which it is looked for. */
  version: number;
}

/**
 * Texts that contain the term come alone; typing errors are allowed where none does, the small ones
 * first. pg_trgm's own 0.6 misses a wrong letter in a word of six, 0.5 one in a word of five.
 */
const IS_SIMILAR = `word_likeness >= 0.3 and (word_likeness >= 0.5 or best_word_likeness < 0.5)`;
/** A word similarity takes 5 µs; half of 30,000 names may share enough trigrams with a term to need one. */
const NEAREST = 500;
const SHORTEST_TRIGRAM = 3;
/** A word starts the text, or follows a space or the hyphen of a slug. */
const WORD_STARTS = ['', '% ', '%-'];
/** A sign such as `%` may stand anywhere, not only at the start of a word. */
const SIGN = /[^\p{L}\p{M}\p{N}]/u;
const ARABIC = /\p{Script=Arabic}/u;

/** Runs `read` with the term folded, and again with typing errors allowed when nothing is found. */
export async function readWithTerm<Row>(
  database: Catalogue,
  query: { of: string; term?: string | undefined },
  read: (sql: Sql, term: FoldedTerm | null) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  const { term } = query;
  if (term === undefined) return read(database, null);
  const { exact, found } = await database.transaction(async (sql) => {
    const exact = await foldTerm(sql, term);
    return { exact, found: await read(sql, exact) };
  }, SNAPSHOT);
  if (found.total > 0 || exact.folded.length < SHORTEST_TRIGRAM) return found;
  const similar = { ...exact, allowsTypos: true };
  const key = JSON.stringify([exact.version, query]);
  return database.searchOnce(key, () =>
    database.transaction((sql) => read(sql, similar), SNAPSHOT),
  );
}

async function foldTerm(sql: Sql, term: string): Promise<FoldedTerm> {
  const found = await sql.first(FOLD_TERM, { term });
  if (!found) throw new Error('The reference state is missing: run the migrations.');
  return found;
}

const FOLD_TERM = statement<{ term: string }, FoldedTerm>('fold_term')`
select f_unaccent(:term) as folded, f_like(f_unaccent(:term)) as pattern, false as "allowsTypos", version
from reference_state`;

interface Searched {
  from: string;
  conditions: readonly string[];
  /** Folded names, compared by similarity. */
  names: readonly string[];
  /** Folded texts that may contain the term anywhere. */
  texts: readonly string[];
}

/** "Exact name first, then prefix, then the rest by similarity", as SQL over the columns given. */
export function termSql(term: FoldedTerm, searched: Searched) {
  const { from, names, texts } = searched;
  const any = (columns: readonly string[], test: (column: string) => string) =>
    columns.map(test).join(' or ');
  const similarities = names.map(
    (name) => `similarity(${name}, :folded) + word_similarity(:folded, ${name})`,
  );
  return {
    from: term.allowsTypos ? nearestSql(searched) : from,
    where: term.allowsTypos ? IS_SIMILAR : any(texts, containsTerm(term)),
    isExact: any(names, (name) => `${name} = :folded`),
    isPrefix: any(names, (name) => `${name} like :pattern || '%'`),
    similarity: `greatest(${similarities.join(', ')})`,
  };
}

/** The records with the names that are the most similar to the term as a whole, under the alias of `from`. */
function nearestSql({ from, conditions, names }: Searched): string {
  const alias = from.split(' ').at(-1);
  const nearest = names.map(
    (name) => `(select ${alias}.* from ${from} where ${conditions.join(' and ')}
      order by (${name} || '') <-> :folded limit ${NEAREST})`,
  );
  const likeness = names.map((name) => `word_similarity(:folded, ${name})`);
  return `(select *, max(word_likeness) over () as best_word_likeness
    from (select *, greatest(${likeness.join(', ')}) as word_likeness
      from (${nearest.join(' union ')}) ${alias}) likened) ${alias}`;
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

/** Latin terms are not compared with Arabic names, which halves the work. */
export function locationNameColumns({ folded }: FoldedTerm): string[] {
  return ARABIC.test(folded) ? ['search_name_ar', 'search_name'] : ['search_name'];
}

const MAX_KEPT = 100;
/** Some seconds of work. */
const MAX_WAITING = 200;

/** The database as the CRM's lists are searched in it. */
export interface Catalogue extends Database {
  /** Runs a search for similar names in its turn, unless its result is known by its key. */
  searchOnce<Found>(key: string, search: () => Promise<Found>): Promise<Found>;
}

/** A search is refused before it was begun. */
export class SearchesBusyError extends Error {
  override name = 'SearchesBusyError';
}

export function createCatalogue(database: Database): Catalogue {
  /** Such a search occupies a processor of Postgres: one at a time leaves the others to the leads. */
  const queue = new PQueue({ concurrency: 1 });
  const pages = new LRUCache<string, Promise<unknown>>({ max: MAX_KEPT });
  return {
    ...database,
    async searchOnce<Found>(key: string, search: () => Promise<Found>) {
      const known = pages.get(key) as Promise<Found> | undefined;
      if (!known && queue.size >= MAX_WAITING)
        throw new SearchesBusyError('Too many searches are waiting.');
      const page = known ?? queue.add(search);
      pages.set(key, page);
      page.catch(() => pages.delete(key));
      return page;
    },
  };
}

export interface SortKey<Name extends string = string> {
  name: Name;
  isDescending: boolean;
}

/** Empty values come last in either direction. */
export function orderTerms<Name extends string>(
  keys: readonly SortKey<Name>[],
  columns: Readonly<Record<Name, string>>,
): string[] {
  return keys.map(
    ({ name, isDescending }) => `${columns[name]} ${isDescending ? 'desc' : 'asc'} nulls last`,
  );
}

interface PageQuery<Row> {
  variants: (text: string) => Statement<object, Counted<Row>>;
  select: string;
  from: string;
  /** Joins of which `where` asks nothing; each row of `from` finds one row of each. */
  joins?: string;
  where: readonly string[];
  /** Ends in a unique column, so that no record comes on two pages. */
  orderBy: readonly string[];
  values: object;
  limit: number;
  offset: number;
  /** Whether all matches are read for the order anyway: then they are counted along the way. */
  isRanked: boolean;
}

export type Counted<Row> = Row & { matches: number };

/** One statement for a page and its total, so that an import comes before both or after both. */
export async function readCountedPage<Row>(sql: Sql, page: PageQuery<Row>): Promise<Page<Row>> {
  const rows = await readRows(sql, page);
  return {
    total: rows[0]?.matches ?? (await readTotal(sql, page)),
    rows: rows.map(({ matches: _matches, ...row }) => row as unknown as Row),
  };
}

function readRows<Row>(sql: Sql, page: PageQuery<Row>): Promise<Counted<Row>[]> {
  const { select, from, joins = '', where, orderBy, values, limit, offset } = page;
  const search = page.variants(
    `select ${select}, ${countSql(page)} as matches from ${from} ${joins}
     where ${where.join(' and ')} order by ${orderBy.join(', ')}
     limit :limit::bigint offset :offset::bigint`,
  );
  return sql.all(search, { ...values, limit, offset });
}

function countSql({ isRanked, from, where }: PageQuery<unknown>): string {
  if (isRanked) return 'count(*) over ()::int';
  return `(select count(*)::int from ${from} where ${where.join(' and ')})`;
}

/** A page beyond the end has no row that carries the total. */
async function readTotal<Row>(sql: Sql, page: PageQuery<Row>): Promise<number> {
  if (page.offset === 0) return 0;
  const [first] = await readRows(sql, { ...page, limit: 1, offset: 0 });
  return first?.matches ?? 0;
}
