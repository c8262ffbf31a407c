/** A dataset as it is read, so that it never has to be held whole: each section, then its records. */
export type DatasetPart =
  | { kind: 'section'; name: string; isList: boolean }
  | { kind: 'record'; section: string; index: number; value: unknown }
  /** In place of all others: what was read is no object. */
  | { kind: 'no dataset' };

export type DatasetParts = Iterable<DatasetPart> | AsyncIterable<DatasetPart>;

export function* partsOf(json: unknown): Generator<DatasetPart> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    yield { kind: 'no dataset' };
    return;
  }
  for (const [section, records] of Object.entries(json)) {
    if (records === undefined) continue;
    yield { kind: 'section', name: section, isList: Array.isArray(records) };
    for (const [index, value] of Array.isArray(records) ? records.entries() : [])
      yield { kind: 'record', section, index, value };
  }
}
