import { canonicalJson } from '../../domain/canonical-json.ts';
import type { SectionName } from '../../store/dataset/record-ids.ts';
import { fieldOf, type StoredRecord } from '../../store/dataset/section.ts';
import { naturalKey, recordLabel } from '../../store/dataset/sections.ts';

interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

export interface RecordChange {
  record: string;
  change: 'created' | 'updated' | 'removed';
  fields: FieldChange[];
}

export type ComparedSection = Awaited<ReturnType<typeof compareSection>>;
export type DatasetChanges = { [Name in SectionName]?: ComparedSection['changes'] };

export type RecordPair = readonly [before: StoredRecord | undefined, after?: StoredRecord];

/** `limit`: how many changes are listed. */
export async function compareSection(
  section: SectionName,
  pairs: Iterable<RecordPair> | AsyncIterable<RecordPair>,
  limit: number,
) {
  const changes = { total: 0, removed: 0, records: [] as RecordChange[] };
  const removed: string[] = [];
  const disabled: { record: string; key: string }[] = [];
  for await (const [before, after] of pairs) {
    const change = compareRecords(section, before, after);
    if (!change) continue;
    changes.total += 1;
    if (after && before && !isDisabled(before) && isDisabled(after))
      disabled.push({ record: change.record, key: naturalKey(section, after) });
    if (change.change === 'removed') changes.removed = removed.push(change.record);
    if (changes.records.length < limit) changes.records.push(change);
  }
  return { changes, removed, disabled };
}

/** New and changed records, in the order of `after`, then those that are no longer there. */
export function* pairRecords(
  section: SectionName,
  stored: ReadonlyMap<string, StoredRecord>,
  after: Iterable<StoredRecord>,
): Generator<RecordPair> {
  const before = new Map(stored);
  for (const record of after) {
    const key = naturalKey(section, record);
    yield [before.get(key), record];
    before.delete(key);
  }
  for (const record of before.values()) yield [record];
}

const FLAGS = ['enabled', 'active', 'published'];

const isDisabled = (record: StoredRecord) => FLAGS.some((flag) => fieldOf(record, flag) === false);

function compareRecords(
  section: SectionName,
  before: StoredRecord | undefined,
  after: StoredRecord | undefined,
): RecordChange | null {
  const shown = after ?? before;
  if (shown === undefined) return null;
  const record = recordLabel(section, shown);
  if (before === undefined) return { record, change: 'created', fields: [] };
  if (after === undefined) return { record, change: 'removed', fields: [] };
  const fields = changedFields(before, after);
  return fields.length > 0 ? { record, change: 'updated', fields } : null;
}

function changedFields(before: StoredRecord, after: StoredRecord): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((field) => ({
      field,
      before: fieldOf(before, field) ?? null,
      after: fieldOf(after, field) ?? null,
    }))
    .filter((change) => canonicalJson(change.before) !== canonicalJson(change.after));
}
