/** A dataset as it is read, so that it is never held in memory whole: each section, then its records. */
export type DatasetEvent =
  | { kind: 'section'; name: string; isList: boolean }
  | { kind: 'record'; section: string; index: number; value: unknown }
  /** The only event when what was read is no object. */
  | { kind: 'no dataset' };

export type DatasetEvents = Iterable<DatasetEvent> | AsyncIterable<DatasetEvent>;

export function* datasetEvents(json: unknown): Generator<DatasetEvent> {
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
