/** SQL beside the function that runs it, prepared once per connection under its own name. */
export interface Statement<Params extends object, Row> {
  /** Left out: the statement is not prepared. */
  readonly name?: string;
  /** With `$1`, `$2`, … for the parameters. */
  readonly text: string;
  readonly parameters: readonly string[];
  /** For the compiler only: what the statement takes and returns. */
  readonly types?: (params: Params) => Row;
}

// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export type NoParams = {};

const declared = new Map<string, Statement<never, unknown>>();

/** Every statement of the loaded modules. */
export const declaredStatements = (): ReadonlyMap<string, Statement<never, unknown>> => declared;

/**
 * Declares a statement: `statement<Params, Row>('read_agent')` before a template with its SQL. `:leadId` in it is the
 * member `leadId` of `Params`; `${…}` is a part of the SQL. `Row` has the names of its columns: `bigint` comes as a
 * number, `numeric` as a string, a time as a Date, a date as a string. Left out: it returns no columns.
 */
export function statement<Params extends object = NoParams, Row = never>(name: string) {
  return (
    sql: TemplateStringsArray,
    ...parts: readonly (string | number)[]
  ): Statement<Params, Row> => {
    if (declared.has(name)) throw new Error(`Two statements are named ${name}.`);
    const created = { name, ...numberParameters(String.raw({ raw: sql }, ...parts)) };
    declared.set(name, created);
    return created;
  };
}

/** A connection keeps each prepared statement until it ends. */
const MAX_VARIANTS = 200;

/** Declares statements whose text depends on the request, such as a search with filters. The first texts are prepared. */
export function statementVariants<Params extends object, Row>(
  name: string,
): (text: string) => Statement<Params, Row> {
  const known = new Map<string, Statement<Params, Row>>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    if (known.size >= MAX_VARIANTS) return numberParameters(text);
    const variant = statement<Params, Row>(`${name}_${known.size + 1}`)`${text}`;
    known.set(text, variant);
    return variant;
  };
}

/** No name is found in a literal or a cast: `'HH24:MI'`, `::uuid`. */
const LITERAL_OR_NAME = /'[^']*'|(?<!:):([a-z]\w*)/g;

export function numberParameters(text: string) {
  const parameters: string[] = [];
  const numbered = text.replaceAll(LITERAL_OR_NAME, (all, name?: string) => {
    if (!name) return all;
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}`;
  });
  return { text: numbered, parameters };
}

/** An array is bound to `$1`, `$2`, … as it is. */
export function valuesOf({ parameters }: { parameters: readonly string[] }, given: object) {
  if (Array.isArray(given)) return given as unknown[];
  const byName = given as Readonly<Record<string, unknown>>;
  const missing = parameters.find((name) => byName[name] === undefined);
  if (missing) throw new Error(`The statement has no value for :${missing}.`);
  return parameters.map((name) => byName[name]);
}

/** A time as SQL gives it within JSON: `2026-03-02T08:00:00.000Z`. */
export function utcText(time: string): string {
  return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
