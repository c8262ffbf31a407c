import { stringify } from 'csv-stringify/sync';
import * as z from 'zod';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { formatHours, parseHours, type WorkingHours } from '../../domain/routing/working-hours.ts';
import type { SectionName } from '../../store/dataset/record-ids.ts';
import { fieldOf, type StoredRecord } from '../../store/dataset/section.ts';
import { withoutGrouping } from '../../store/dataset/values.ts';
import { recordJsonSchema, withoutNull, type JsonSchema } from './json-schema.ts';

const SEPARATOR = '|';

/** Clears an optional field. */
const NONE = 'none';

const flag = z.stringbool({ truthy: ['true', 'yes', '1'], falsy: ['false', 'no', '0'] });

/** Such text is a formula for a spreadsheet: `=cmd`, or the `+` of a phone. */
const FORMULA = '[=+\\-@\\t\\r＝＋－＠]';

/** The apostrophe marks literal text and is not a part of it. */
const HAS_APOSTROPHE = new RegExp(`^'(?=${FORMULA}|'|${NONE}$)`, 'i');
const NEEDS_APOSTROPHE = new RegExp(`^(?:${FORMULA}|${NONE}$|'${FORMULA}|''|'${NONE}$)`, 'i');

export function csvColumns(section: SectionName): ReadonlyMap<string, JsonSchema> {
  const schema = recordJsonSchema(section);
  const { id, ...fields } = schema.properties ?? { domain: schema };
  return new Map([...Object.entries(fields), ...(id ? [['id', id] as const] : [])]);
}

/** `245.000` may mean 245 thousand: as an integer, and as an amount if semicolons separate cells. */
export function mayBeThousands(cell: string, column: JsonSchema | undefined, delimiter: string) {
  if (!column || !/^\d{1,3}(\.\d{3})+$/.test(cell)) return false;
  const { type, anyOf = [] } = withoutNull(column);
  const isAmount = ['number', 'string'].every((each) => anyOf.some((kind) => kind.type === each));
  return type === 'integer' || (delimiter === ';' && isAmount);
}

export function createRowReader(section: SectionName) {
  const columns = csvColumns(section);
  return (cells: Readonly<Record<string, string>>): unknown => {
    const entries = Object.entries(cells)
      .filter(([, cell]) => cell.trim() !== '')
      .map(([field, cell]) => [field, readCell(cell.trim(), columns.get(field) ?? {})]);
    const record = Object.fromEntries(entries) as Record<string, unknown>;
    return section === 'competitorDomains' ? record.domain : record;
  };
}

/** A spreadsheet needs the byte order mark to read UTF-8. */
export function csvText(section: SectionName, records: readonly StoredRecord[]): string {
  const fields = [...csvColumns(section).keys()];
  const rows = records.map((stored) => {
    const record = typeof stored === 'string' ? { domain: stored } : stored;
    return fields.map((field) => writeCell(field, fieldOf(record, field)));
  });
  return stringify([fields, ...rows], { bom: true });
}

function readCell(cell: string, given: JsonSchema): unknown {
  if (cell.toLowerCase() === NONE && isOptional(given)) return null;
  const text = HAS_APOSTROPHE.test(cell) ? cell.slice(1) : cell;
  const { type, items, oneOf } = withoutNull(given);
  switch (oneOf ? 'object' : [type].flat()[0]) {
    case 'boolean':
      return flag.safeParse(text).data ?? text;
    case 'number':
    case 'integer': {
      const number = Number(withoutGrouping(text));
      return Number.isNaN(number) ? text : number;
    }
    case 'array': {
      const isTexts = items && !Array.isArray(items) && items.type === 'string';
      if (!isTexts || text.startsWith('[')) return readJson(text);
      return text.split(SEPARATOR).map((item) => item.trim());
    }
    case 'string':
      return text;
    default:
      return /^[[{]/.test(text) ? readJson(text) : text;
  }
}

function isOptional({ type, anyOf }: JsonSchema): boolean {
  return [type].flat().includes('null') || anyOf?.some((each) => each.type === 'null') === true;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function writeCell(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return asText(value);
  if (field === 'workingHours') return writeHours(value as WorkingHours);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return writeList(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function asText(text: string): string {
  return NEEDS_APOSTROPHE.test(text) ? `'${text}` : text;
}

function writeList(items: readonly string[]): string {
  const isPlain = items.every((item) => !item.includes(SEPARATOR) && !item.startsWith('['));
  return isPlain ? asText(items.join(SEPARATOR)) : JSON.stringify(items);
}

/** JSON if the text would be read as other hours. */
function writeHours(hours: WorkingHours): string {
  const text = formatHours(hours);
  return canonicalJson(parseHours(text)) === canonicalJson(hours) ? text : JSON.stringify(hours);
}
