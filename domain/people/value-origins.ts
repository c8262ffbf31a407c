import { fields, toCamelCase } from '../leads/fields.ts';

/** A request of the person's lead, as it came. */
export interface SentBody {
  submissionId: string;
  kind: 'create' | 'merge' | 'update';
  client: string;
  /** ISO 8601. */
  at: string;
  body: unknown;
}

export interface ValueOrigin {
  field: string;
  value: unknown;
  /** The request that brought it; null where no request sent it in a field of this name: it follows from another. */
  from: Omit<SentBody, 'kind' | 'body'> | null;
}

/**
 * Every value that a lead's columns hold, with the request that it came in. A value of a list and an unresolved
 * field count each for themselves.
 */
export function valueOrigins(
  columns: Readonly<Record<string, unknown>>,
  sent: readonly SentBody[],
): ValueOrigin[] {
  return Object.entries(columns).flatMap(([column, value]) => {
    const names = sentNames.get(column) ?? [[toCamelCase(column)]];
    return partsOf(column, value).map(([suffix, part]) => {
      const paths = suffix === null ? names : [[suffix]];
      const field = suffix === null ? toCamelCase(column) : `${toCamelCase(column)}.${suffix}`;
      return { field, value: part, from: originOf(paths, part, sent) };
    });
  });
}

type Path = readonly string[];

const inBlock = (name: string): Path => ['adPlatform', name];

/** Under which names a column's value may have been sent. */
const sentNames = new Map<string, Path[]>([
  ['ad_form_name', [inBlock('formName')]],
  ...['finalPageName', 'adId', 'adName', 'adgroupId', 'adgroupName', 'formId'].map(
    (name): [string, Path[]] => [toSnakeCase(name), [inBlock(name)]],
  ),
]);
for (const { name, column } of fields)
  if (column) sentNames.set(column, [...(sentNames.get(column) ?? []), [name]]);
sentNames.get('form_name')?.push(inBlock('formName'));
sentNames.get('adset_name')?.push(inBlock('adgroupName'));
sentNames.get('advertising_campaign_id')?.push(inBlock('adPlatformCampaignId'));

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function partsOf(column: string, value: unknown): [suffix: string | null, part: unknown][] {
  if (value === null || value === undefined) return [];
  if (column === 'intake_unresolved') return Object.entries(value);
  if (column === 'lead_phones' || column === 'lead_emails')
    return (value as string[]).map((entry) => [null, entry]);
  return Array.isArray(value) && value.length === 0 ? [] : [[null, value]];
}

function originOf(paths: readonly Path[], value: unknown, sent: readonly SentBody[]) {
  const senders = byPrecedence(sent).flatMap((each) => {
    const values = paths.map((path) => memberAt(each.body, path));
    const given = values.find((member) => member !== undefined && member !== null);
    return given === undefined ? [] : [{ each, isSame: isSameText(given, value) }];
  });
  const origin = (senders.find(({ isSame }) => isSame) ?? senders[0])?.each;
  if (!origin) return null;
  const { submissionId, client, at } = origin;
  return { submissionId, client, at };
}

/** An update overwrites, so the newest counts first; a merged enquiry only fills what is empty. */
function byPrecedence(sent: readonly SentBody[]): SentBody[] {
  const of = (kind: SentBody['kind']) => sent.filter((each) => each.kind === kind);
  return [...of('update').toReversed(), ...of('create'), ...of('merge')];
}

function memberAt(body: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[name]
        : undefined,
    body,
  );
}

function isSameText(sent: unknown, kept: unknown): boolean {
  const text = JSON.stringify(kept);
  return (
    [sent].flat().some((each) => JSON.stringify(each) === text) || JSON.stringify(sent) === text
  );
}
