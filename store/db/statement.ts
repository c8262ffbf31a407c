import { createHash } from 'node:crypto';

/** Several times what the code holds; a connection keeps each prepared statement until it ends. */
export const MAX_PREPARED = 1000;

/** The names of prepared statements on the connections of one pool; undefined for a text that is not to be prepared. */
export function createPreparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known || names.size >= MAX_PREPARED) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
    return name;
  };
}

const numberedTexts = new Map<string, ReturnType<typeof numberParameters>>();

/** `:leadId` in `text` is bound to the member `leadId` of `values`; an array is bound to `$1`, `$2`, … as it is. */
export function bindParameters(text: string, values: object): [string, readonly unknown[]] {
  if (Array.isArray(values)) return [text, values];
  const numbered = numberedTexts.get(text) ?? numberParameters(text);
  if (numberedTexts.size < MAX_PREPARED) numberedTexts.set(text, numbered);
  const byName = values as Readonly<Record<string, unknown>>;
  const missing = numbered.names.find((name) => byName[name] === undefined);
  if (missing) throw new Error(`The statement has no value for :${missing}.`);
  return [numbered.text, numbered.names.map((name) => byName[name])];
}

/** No name is found in a literal or a cast: `'HH24:MI'`, `::uuid`. */
const LITERAL_OR_NAME = /'[^']*'|(?<!:):([a-z]\w*)/g;

function numberParameters(text: string) {
  const names: string[] = [];
  const numbered = text.replaceAll(LITERAL_OR_NAME, (all, name?: string) => {
    if (!name) return all;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: numbered, names };
}

/** A time as SQL gives it within JSON: `2026-03-02T08:00:00.000Z`. */
export function utcText(time: string): string {
  return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
