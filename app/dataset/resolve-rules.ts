import * as z from 'zod';
import { leadTypeList } from '../../domain/catalogue/lookups/crm-lists.ts';
import { funnelKey } from '../../domain/catalogue/lookups/funnel-matching.ts';
import {
  lookupKey,
  type Entry,
  type LookupList,
} from '../../domain/catalogue/lookups/lookup-list.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../../domain/catalogue/lookups/standard-lists.ts';
import {
  conditionSchema,
  namesRecords,
  type Condition,
  type ConditionField,
} from '../../domain/routing/condition.ts';
import type { LintRecords } from '../../domain/routing/lint-rules.ts';
import { ruleSchema } from '../../domain/routing/rules.ts';
import { issueAt, type DatasetIssue } from '../../domain/validation-issues.ts';
import type { RecordIds, RecordKind, SectionName } from '../../store/dataset/record-ids.ts';
import { namedRuleSchema, type NamedRule } from '../../store/dataset/rules.ts';
import type { Dataset, Indexed } from '../../store/dataset/sections.ts';

interface Scope {
  ids: RecordIds;
  /** Includes invalid records of the file: a reference to one is not a second issue. */
  isKnown: (section: SectionName, name: string) => boolean;
  resolveValue: ResolveValue;
}

/** Names become ids. The rules are unusable if there is any issue. */
export function resolveRules(rules: readonly Indexed<NamedRule>[], scope: Scope) {
  const issues: DatasetIssue[] = [];
  const resolved = rules.map(({ value: rule, index }) => {
    const { pool, ...followUp } = rule.followUp;
    const { poolId, ...named } = resolveNames({ ...rule, pool }, index, scope, issues);
    return ruleSchema.parse({ ...rule, ...named, followUp: { ...followUp, poolId } });
  });
  return { rules: resolved, issues };
}

const readableRule = z
  .object({
    when: z.array(z.array(conditionSchema.nullable().catch(null)).catch([])).catch([]),
    target: namedRuleSchema.shape.target.nullable().catch(null),
    onExhausted: namedRuleSchema.shape.onExhausted.catch({ kind: 'next' }),
    followUp: z.object({ pool: z.string().nullish().catch(null) }).catch({ pool: null }),
  })
  .transform(({ followUp, ...rule }) => ({ ...rule, pool: followUp.pool }));

export function findUnknownNames(records: readonly Indexed<unknown>[], scope: Scope) {
  const issues: DatasetIssue[] = [];
  for (const { value, index } of records) {
    const { data: rule } = readableRule.safeParse(value);
    if (rule) resolveNames(rule, index, scope, issues);
  }
  return issues;
}

type NamedLeave = Exclude<NamedRule['onExhausted'], { kind: 'wait' }>;

function resolveNames(
  { when, target, onExhausted, pool }: z.output<typeof readableRule>,
  index: number,
  { ids, isKnown, resolveValue }: Scope,
  issues: DatasetIssue[],
) {
  const addIssue = (path: readonly PropertyKey[], message: string) =>
    void issues.push(issueAt(['rules', index, ...path], message));

  function idOf(section: SectionName, name: string, ...path: string[]): string {
    if (!isKnown(section, name)) addIssue(path, `no record of ${section} is called "${name}"`);
    return ids.find(section, name) ?? '';
  }

  function resolveCondition(condition: Condition | null, ...path: PropertyKey[]) {
    if (!condition || !namesRecords(condition)) return condition;
    const values = condition.values.flatMap((value, at) => {
      const found = resolveValue(condition.field, value);
      if (found.length > 0) return found;
      addIssue([...path, 'values', at], `no ${condition.field} is called "${String(value)}"`);
      return [value];
    });
    return { ...condition, values };
  }

  function resolveLeave(leave: NamedLeave, ...path: string[]) {
    if (leave.kind !== 'pool') return leave;
    return { kind: 'pool', poolId: idOf('pools', leave.name, ...path, 'name') };
  }

  return {
    when: when.map((all, either) =>
      all.map((condition, each) => resolveCondition(condition, 'when', either, each)),
    ),
    target: target && {
      kind: target.kind,
      [`${target.kind}Id`]: idOf(`${target.kind}s`, target.name, 'target', 'name'),
    },
    onExhausted:
      onExhausted.kind === 'wait'
        ? { ...onExhausted, then: resolveLeave(onExhausted.then, 'onExhausted', 'then') }
        : resolveLeave(onExhausted, 'onExhausted'),
    poolId: pool ? idOf('pools', pool, 'followUp', 'pool') : null,
  };
}

type Value = string | boolean;

type ResolveValue = ReturnType<typeof createValueResolver>;

/** Several if sub-sources of several sources share the name. */
export function createValueResolver(ids: RecordIds, languages: LookupList<Entry>) {
  const funnels = new Map(
    ids
      .all('funnels')
      .flatMap(([key, { id, names }]) => [...names, key].map((name) => [funnelKey(name), id])),
  );
  const leadTypes = leadTypeList(
    ids.all('leadTypes').map(
      ([
        ,
        {
          id,
          names: [name = '', ...aliases],
        },
      ]) => {
        return { id, name, aliases };
      },
    ),
  );
  const recordOf = (kind: RecordKind) => (text: string) => optional(ids.find(kind, text));
  const codeIn = (list: LookupList<Entry>) => (text: string) => optional(list.resolve(text)?.id);
  const oneOf = (texts: string[]) => (text: string) =>
    texts.filter((each) => each === lookupKey(text));
  const flag = (text: string) => oneOf(['true', 'false'])(text).map((each) => each === 'true');
  const asGiven = (text: string) => [text];

  const resolvers: Readonly<Record<ConditionField, (text: string) => readonly Value[]>> = {
    source: recordOf('sources'),
    subSource: (text) => subSourceIds(ids, text),
    funnel: (text) => optional(funnels.get(funnelKey(text))),
    campaign: recordOf('campaigns'),
    developer: recordOf('developers'),
    location: recordOf('locations'),
    language: codeIn(languages),
    leadType: codeIn(leadTypes),
    propertyType: recordOf('propertyTypes'),
    marketingType: recordOf('marketingTypes'),
    eventType: recordOf('eventTypes'),
    currency: codeIn(currencies),
    country: codeIn(countryList),
    marketSegment: codeIn(marketSegments),
    agentCategory: codeIn(agentCategories),
    listingPurpose: oneOf(['sale', 'rent']),
    listingMarket: oneOf(['primary', 'secondary']),
    isRepeatLead: flag,
    isAgentEnquiry: flag,
    client: asGiven,
    integrationRef: asGiven,
    budget: asGiven,
  };
  return (field: ConditionField, value: Value): readonly Value[] =>
    typeof value === 'string' || resolvers[field] === flag ? resolvers[field](String(value)) : [];
}

function optional(id: string | undefined): string[] {
  return id === undefined ? [] : [id];
}

function subSourceIds(ids: RecordIds, text: string): string[] {
  const key = lookupKey(text);
  const exact =
    ids.find('subSources', key) ?? ids.find('subSources', key.replace(/\s*\/\s*/g, '/'));
  if (exact !== undefined) return [exact];
  return ids
    .all('subSources')
    .filter(([subSource]) => subSource.endsWith(`/${key}`))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { id }]) => id);
}

export function languagesOf(ids: RecordIds): LookupList<Entry> {
  return languageList(
    ids.all('languages').map(
      ([
        code,
        {
          names: [name = '', ...aliases],
        },
      ]) => {
        return { code, name, aliases };
      },
    ),
  );
}

export function withDataset(
  records: LintRecords,
  { dataset, ids }: { dataset: Dataset; ids: RecordIds },
): LintRecords {
  const given = (dataset.agents ?? []).map(({ value }) => {
    return { ...value, id: ids.of('agents', value.email) };
  });
  const hours = dataset.datedHours?.map(({ value }) => value);
  const agents = mergeById(records.agents, given).map((agent) => {
    const own = hours?.filter((each) => ids.of('agents', each.agent) === agent.id);
    return { ...agent, datedHours: own ?? agent.datedHours };
  });
  const teams = (dataset.teams ?? []).map(({ value: { name, members } }) => ({
    id: ids.of('teams', name),
    agentIds: members.map(({ agent }) => ids.of('agents', agent)),
  }));
  const pools = new Map(records.pools);
  for (const { value } of dataset.pools ?? []) pools.set(ids.of('pools', value.name), value);
  const places = new Map(records.places);
  for (const { value } of dataset.locations ?? []) {
    const parentId = value.parent === null ? null : ids.of('locations', value.parent);
    const ancestorIds = parentId === null ? [] : [...(places.get(parentId) ?? []), parentId];
    places.set(ids.of('locations', value.key), ancestorIds);
  }
  return { agents, teams: mergeById(records.teams, teams), pools, places };
}

function mergeById<T extends { id: string }>(known: readonly T[], given: readonly T[]): T[] {
  const merged = new Map(known.map((each) => [each.id, each]));
  for (const each of given) merged.set(each.id, { ...merged.get(each.id), ...each });
  return [...merged.values()];
}
