import { lookupKey, type Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import { distributionTypes } from '../../domain/leads/distribution-type.ts';
import { fields, type ListName } from '../../domain/leads/fields.ts';
import { readValues, type InstalledValues } from '../../store/catalogue/reference.ts';
import type { Operator } from '../operator.ts';
import { valueText } from '../text.ts';

interface Value {
  value: string;
  [column: string]: string | boolean | readonly string[];
}

type ValueList = ReturnType<typeof listValues>[number];

export async function exportValues(operator: Operator, { format }: { format: 'md' | 'json' }) {
  const database = await operator.database();
  const lists = listValues(await readValues(database, operator.config.companyName));
  operator.show(lists, (shown) =>
    format === 'json' ? JSON.stringify(shown, null, 2) : asMarkdown(shown),
  );
}

/** A list without values is read elsewhere. */
const ABOUT: Readonly<Record<ListName | 'distributionType' | 'locationLevel', string>> = {
  leadType: 'The short forms Primary, Secondary, and Primary and Secondary are taken too.',
  funnel:
    'Name or key; case, blanks, hyphens and underscores do not count. Omit it for the main sales pipeline.',
  marketSegment: '',
  agentCategory: '',
  location:
    'Read the names from `GET /public/projects/filters`. A name that several locations share matches none.',
  propertyType: 'A regular plural matches too.',
  currency: 'A code of ISO 4217, such as AED.',
  language: 'A code of ISO 639-1 or the name of a language, and these of the installation.',
  source: 'The enquiries of a portal are never merged.',
  subSource: 'Kept only with its own source.',
  marketingType: '',
  eventType: '',
  campaign: 'The CRM’s own campaigns.',
  developer: 'Read name, slug and id from `GET /public/developers`.',
  website: 'Domain or name; the domain is preferred.',
  country: 'A code of ISO 3166 or the name of a country.',
  agent: 'The e-mail address of an agent: ask the operator for it.',
  distributionType:
    'A hint. It counts where a routing rule claims it; `Personal distribution` needs an `assignedBy`.',
  locationLevel: 'The `level` of a location, for `GET /public/locations`.',
};

function listValues(installed: InstalledValues) {
  const listOf = ({ match }: (typeof fields)[number]) =>
    typeof match === 'object' ? match.list : match;
  const list = (name: keyof typeof ABOUT, values: readonly Value[]) => ({
    list: name,
    fields: fields.filter((field) => listOf(field) === name).map((field) => field.name),
    about: ABOUT[name],
    values,
  });
  const names = new Set(
    fields.flatMap(({ match }) => (typeof match === 'object' ? [match.list] : [])),
  );
  return [
    ...[...names].map((name) => list(name, valuesOf(name, installed))),
    list('distributionType', distributionTypes.map(toValue)),
    list('locationLevel', installed.levels.map(toValue)),
  ];
}

const toValue = (value: string): Value => ({ value });

function valuesOf(list: ListName, { reference, entries }: InstalledValues): Value[] {
  const { lists } = reference;
  const ofList = entries.filter((entry) => entry.list === list);
  switch (list) {
    case 'location':
    case 'currency':
    case 'developer':
    case 'country':
    case 'agent':
      return [];
    case 'marketSegment':
    case 'agentCategory':
      return namesOf(lists[list].entries());
    case 'funnel':
      return [...lists.funnel.entries()].map(({ name, key }) => ({ value: name, key }));
    case 'source':
      return matched(ofList, list, reference).map((entry) => ({
        ...entry,
        portal: lists.source.resolve(entry.value)?.portal === true,
      }));
    case 'subSource':
      return ofList.map(({ name, parentId }) => ({
        value: name,
        source: lists.source.named(parentId)?.name ?? '',
      }));
    case 'website':
      return ofList.map(({ key, name }) => ({ value: key, name }));
    case 'language':
      return ofList.map(({ key, name, aliases }) => ({ value: key, also: [name, ...aliases] }));
    case 'leadType':
    case 'propertyType':
    case 'marketingType':
    case 'eventType':
    case 'campaign':
      return matched(ofList, list, reference);
  }
}

/** Omits names that several records share, since they match none. */
function matched(
  entries: InstalledValues['entries'],
  list: ListName,
  { lists }: InstalledValues['reference'],
): Value[] {
  return entries
    .filter(({ id, name }) => lists[list].resolve(name)?.id === id)
    .map(({ name, aliases }): Value => {
      const others = aliases.filter((alias) => lookupKey(alias) !== lookupKey(name));
      return others.length > 0 ? { value: name, also: others } : { value: name };
    });
}

function namesOf(entries: Iterable<Entry>): Value[] {
  return [...entries].map(({ name }) => toValue(name));
}

const INTRODUCTION = `# Values that this installation matches

A field of these names is matched against these values, without regard to case. A value that matches none never fails a create: it comes back in \`intakeUnresolved\`.`;

function asMarkdown(lists: readonly ValueList[]): string {
  return [INTRODUCTION, ...lists.map(listSection)].join('\n\n');
}

function listSection({ list, fields: names, about, values }: ValueList): string {
  const heading = names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : list;
  const table = values.length > 0 ? [tableOf(values)] : about === '' ? ['No value.'] : [];
  return [`## ${heading}`, ...(about === '' ? [] : [about]), ...table].join('\n\n');
}

function tableOf(values: readonly Value[]): string {
  const columns = [...new Set(values.flatMap((value) => Object.keys(value)))];
  const cell = (value: unknown) => valueText(value).replaceAll('|', '\\|');
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(columns),
    row(columns.map(() => '---')),
    ...values.map((value) => row(columns.map((column) => cell(value[column])))),
  ].join('\n');
}
