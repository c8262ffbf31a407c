/** As the bare driver takes it. */
export interface Statement {
  /** The same for the same text, so that it is prepared once per connection. */
  name: string;
  text: string;
  values: unknown[];
}

const names = new Map<string, string>();

export function prepared(text: string, values: readonly unknown[] = []): Statement {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values] };
}
