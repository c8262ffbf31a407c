import type { Indexed, SectionName } from './sections.ts';

/** Where a record names another: a text or a list of texts, or, with `inner`, a field of a list's entries. */
export interface NamingField {
  field: string;
  inner?: string;
}

export interface NamedText {
  path: PropertyKey[];
  text: string;
}

/** The names in a field of a record as it came; what is no text has a fault of its own. */
export function namedTexts(
  section: SectionName,
  { value, index }: Indexed<unknown>,
  { field, inner }: NamingField,
): NamedText[] {
  const named = fieldOf(value, field);
  const at = (...path: PropertyKey[]) => [section, index, field, ...path];
  if (!Array.isArray(named)) return textAt(at(), named);
  return named.flatMap((entry: unknown, each) =>
    inner === undefined ? textAt(at(each), entry) : textAt(at(each, inner), fieldOf(entry, inner)),
  );
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[field]
    : undefined;
}

function textAt(path: PropertyKey[], text: unknown): NamedText[] {
  return typeof text === 'string' && text.trim() !== '' ? [{ path, text }] : [];
}
