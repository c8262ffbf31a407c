import * as z from 'zod';
import { sections, type SectionName } from './sections.ts';

/** Lists within a cell are separated by this; anything deeper is written as JSON. */
const SEPARATOR = '|';

const flag = z.stringbool({ truthy: ['true', 'yes', '1'], falsy: ['false', 'no', '0'] });

interface FieldSchema {
  /** Several where null is one of them, the last. */
  type?: string | string[];
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  oneOf?: FieldSchema[];
}

/**
 * Reads CSV rows as records of a section, each cell by its field's schema. A blank cell is as if omitted;
 * a value that does not fit its field stays a text, which the schema then reports.
 */
export function createRowReader(section: SectionName) {
  const { properties } = z.toJSONSchema(sections[section].schema, { io: 'input' });
  const fields = properties as Record<string, FieldSchema | undefined> | undefined;
  return (cells: Record<string, string>): unknown => {
    if (section === 'competitorDomains') return cells.domain;
    const entries = Object.entries(cells)
      .filter(([, cell]) => cell.trim() !== '')
      .map(([field, cell]) => [field, readCell(cell.trim(), fields?.[field] ?? {})]);
    return Object.fromEntries(entries);
  };
}

function readCell(cell: string, schema: FieldSchema): unknown {
  const { type, items, oneOf } = schema.anyOf?.[0] ?? schema;
  switch (oneOf ? 'object' : [type].flat()[0]) {
    case 'boolean':
      return flag.safeParse(cell).data ?? cell;
    case 'number':
    case 'integer':
      return Number.isNaN(Number(cell)) ? cell : Number(cell);
    case 'array':
      if (items?.type !== 'string' || cell.startsWith('[')) return readJson(cell);
      return cell.split(SEPARATOR).map((item) => item.trim());
    case 'object':
      return readJson(cell);
    default:
      return cell;
  }
}

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
