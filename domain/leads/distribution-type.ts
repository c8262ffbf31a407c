import { isBlank } from '../written-text.ts';
import { lookupKey } from '../catalogue/lookups/lookup-list.ts';

/** Unresolved if no agent is named: `decidePersonalDistribution` in `owner.ts`. */
export const PERSONAL_DISTRIBUTION = 'Personal distribution';

/** The first word of `<word> distribution` also works (distributionType, 1). */
export const distributionTypes = [
  PERSONAL_DISTRIBUTION,
  'Campaign distribution',
  'Developer distribution',
  'Language distribution',
  'Location distribution',
  'Default distribution',
  'Developer and Area distribution',
  'Area distribution Secondary',
  'Roadshow distribution',
];

const byText = new Map(
  distributionTypes.flatMap((name) => [
    [lookupKey(name), name],
    [lookupKey(name.replace(/^(\w+) distribution$/, '$1')), name],
  ]),
);

export function isDistributionType(text: string): boolean {
  return byText.has(lookupKey(text));
}

export type Distribution = NonNullable<ReturnType<typeof distributionTypeOf>>;

/** An unrecognised value is kept exactly as sent (distributionType, 2). */
export function normaliseDistributionType(sent: string): string {
  return byText.get(lookupKey(sent)) ?? sent;
}

/** A form question of the ad platform replaces an omitted field (distributionType, 6). */
export function distributionTypeOf(sent: string | null, customFields: unknown) {
  const value = sent ?? fromCustomFields(customFields);
  return value === null ? null : { sent: value, type: normaliseDistributionType(value) };
}

const ENTRY_NAMES = new Set(['distribution', 'distributiontype']);

function fromCustomFields(customFields: unknown): string | null {
  if (typeof customFields !== 'object' || customFields === null) return null;
  for (const [name, value] of Object.entries(customFields)) {
    const isEntry = ENTRY_NAMES.has(lookupKey(name).replace(/[\s_-]+/g, ''));
    if (isEntry && typeof value === 'string' && !isBlank(value)) return value;
  }
  return null;
}
