import * as z from 'zod';
import { sections, type SectionName } from './sections.ts';

/** Lists within a cell are separated by this; anything deeper is written as JSON. */
const SEPARATOR = '|';

type Kind = 'text' | 'number' | 'flag' | 'list' | 'json';

/**
 * A record out of a CSV row. A blank cell is as if omitted; a value that does not fit its field
 * stays a text, which the schema then reports.
 */
export function recordFromCells(section: SectionName, cells: Record<string, string>): unknown {
  if (section === 'competitorDomains') return cells.domain;
  const entries = Object.entries(cells)
    .filter(([, cell]) => cell.trim() !== '')
    .map(([field, cell]) => [field, valueOf(cell.trim(), kindOf(section, field))]);
  return Object.fromEntries(entries);
}

function valueOf(cell: string, kind: Kind): unknown {
  switch (kind) {
    case 'text':
      return cell;
    case 'number':
      return Number.isNaN(Number(cell)) ? cell : Number(cell);
    case 'flag':
      return flagOf(cell);
    case 'list':
      return cell.startsWith('[') ? jsonOf(cell) : cell.split(SEPARATOR).map((item) => item.trim());
    case 'json':
      return jsonOf(cell);
  }
}

function flagOf(cell: string): unknown {
  if (/^(true|yes|1)$/i.test(cell)) return true;
  return /^(false|no|0)$/i.test(cell) ? false : cell;
}

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** By the field's own schema, so that a new field of a section is a new column of its CSV. */
function kindOf(section: SectionName, field: string): Kind {
  const schema = inner(sections[section].schema);
  const value =
    schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>)[field] : undefined;
  const kind = value ? inner(value) : undefined;
  if (kind instanceof z.ZodBoolean) return 'flag';
  if (kind instanceof z.ZodNumber) return 'number';
  if (kind instanceof z.ZodArray)
    return inner(kind.element as z.ZodType) instanceof z.ZodString ? 'list' : 'json';
  return NESTED.some((nested) => kind instanceof nested) ? 'json' : 'text';
}

const NESTED = [z.ZodObject, z.ZodRecord, z.ZodDiscriminatedUnion];

/** What is left once defaults, null and transforms, before or after it, are taken off. */
function inner(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    return inner((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType);
  }
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return inner(schema.unwrap() as z.ZodType);
  }
  return schema;
}
