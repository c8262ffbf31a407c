import { z } from 'zod';
import { limitedText } from '../../domain/written-text.ts';
import type { SortKey } from '../../store/catalogue/search.ts';

const MAX_TEXT = 255;
const MAX_OFFSET = 2_147_483_647;
const MAX_IDS = 200;

const digits = z
  .string()
  .regex(/^-?\d+$/, 'must be a whole number')
  .transform(Number);

export function whole(min: number, max: number, byDefault: number) {
  return digits
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
    .meta({
      override: documentedAs({ type: 'integer', minimum: min, maximum: max, default: byDefault }),
    })
    .default(byDefault);
}

function openEnded(min: number, served: number, documented: object = {}) {
  return digits
    .refine((value) => value >= min, `must be at least ${min}`)
    .transform((value) => Math.min(value, served))
    .meta({ override: documentedAs({ type: 'integer', minimum: min, ...documented }) });
}

export function atLeast(min: number, served: number, byDefault: number) {
  return openEnded(min, served, { default: byDefault }).default(byDefault);
}

export const optionalOffset = openEnded(0, MAX_OFFSET).optional();

export function documentedAs(schema: z.core.JSONSchema.BaseSchema) {
  return ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
    delete jsonSchema.pattern;
    delete jsonSchema.enum;
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, schema);
  };
}

/** Blank is treated as omitted. */
export const plainText = limitedText(MAX_TEXT)
  .transform((text) => text.trim() || undefined)
  .optional();

export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()
  .meta({ override: documentedAs({ type: 'boolean' }) });

export const direction = z.enum(['asc', 'desc']).optional();

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** Values separated by commas. Tools fill a pattern with a limit up to that limit. */
export function listPattern(value: string): string {
  return `^${value}(,${value})*$`;
}

export const uuidList = z
  .string()
  .transform((text) => splitList(text))
  .pipe(z.array(z.guid('must be a uuid')).max(MAX_IDS).optional())
  .optional()
  .meta({
    override: documentedAs({ type: 'string', pattern: listPattern(UUID) }),
  });

/** Without regard to case. A value may contain a comma. */
export const valueList = plainText.transform((text = '') => {
  const whole = text.toLowerCase();
  return splitList(whole)?.concat(whole);
});

const AMOUNT = /^\d{1,18}(\.\d{1,6})?$/;

export const amount = plainText
  .pipe(z.string().regex(AMOUNT, 'must be an amount such as 1450000').optional())
  .meta({
    override: documentedAs({ type: 'string', pattern: AMOUNT.source }),
  });

const [DATE = '', TIME = ''] = z.regexes
  .datetime({ offset: true, local: true })
  .source.slice(1, -1)
  .split(/(?=T\(\?:)/);
const DAY = `(?!0000)${DATE}(?:${TIME})?`; // Postgres has no year 0

export const day = plainText
  .pipe(
    z
      .string()
      .regex(new RegExp(`^${DAY}$`), 'must be a date such as 2028-06-30')
      .transform((text) => text.slice(0, 10))
      .optional(),
  )
  .meta({ override: documentedAs({ type: 'string', format: 'date' }) });

function splitList(text: string): string[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  const given = items.filter((item) => item !== '');
  return given.length > 0 ? given : undefined;
}

export const pageFields = {
  limit: whole(1, 200, 50).describe('Maximum number of records on the page.'),
  offset: atLeast(0, MAX_OFFSET, 0).describe('Number of records before the page.'),
};

const TERM_NAMES = ['search', 'q', 'query', 'term', 'keyword'] as const;
export const TERM_ALIASES = [TERM_NAMES];

const alias = plainText.describe('Alias for `search`: send one of them.');

export const termFields = {
  search: plainText.describe(
    'Search term. Aliases: `q`, `query`, `term`, `keyword`; send one of them.',
  ),
  q: alias,
  query: alias,
  term: alias,
  keyword: alias,
};

export function searchTerm(query: { [Name in (typeof TERM_NAMES)[number]]?: string | undefined }) {
  return TERM_NAMES.map((name) => query[name]).find((term) => term !== undefined);
}

/** "Unknown keys are ignored": a key with an unknown direction is one. Without keys, `order` is for the default key. */
export function parseSort<Name extends string>(
  sort: string | undefined,
  order: 'asc' | 'desc' | undefined,
  known: readonly Name[],
  byDefault?: Name,
): { keys: SortKey<Name>[]; ignored?: string[] } {
  const keys = new Map<Name, SortKey<Name>>();
  const ignored = new Set<string>();
  for (const text of (sort ?? '').split(',').map((each) => each.trim())) {
    const [, minus, wanted = text, direction] = /^(-?)(.*?)(?::(asc|desc))?$/is.exec(text) ?? [];
    const name = known.find((each) => each.toLowerCase() === wanted.toLowerCase());
    const own = minus ? 'desc' : direction?.toLowerCase();
    if (name === undefined) ignored.add(wanted);
    else if (!keys.has(name))
      keys.set(name, { name, isDescending: (own ?? order ?? 'asc') === 'desc' });
  }
  ignored.delete('');
  if (keys.size === 0 && byDefault && order)
    keys.set(byDefault, { name: byDefault, isDescending: order === 'desc' });
  return { keys: [...keys.values()], ...(ignored.size > 0 && { ignored: [...ignored] }) };
}

export const ignoredKeys = z.array(z.string()).optional().meta({
  description:
    'Keys of `sort` that this list does not have, without their direction; absent where there are none.',
});
