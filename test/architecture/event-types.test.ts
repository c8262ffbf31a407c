import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { eventSchemas } from '../../api/responses/events.ts';
import {
  DEFAULT_EVENT_TYPES,
  eventTypes,
  leadEventTypes,
} from '../../domain/webhooks/event-payloads.ts';

/** What integrators read of the events, compared with the schemas of their bodies. */
const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
const guide = read('integration-webhooks.md');

/** What the guide says of all events in its table of a lead's. */
const IN_ALL = ['leadId', 'integrationRef', 'sequence'];

const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => json);
const examples = new Map(
  blocks
    .filter((json) => json.startsWith('{\n  "type"'))
    .map((json) => JSON.parse(json) as { type: string })
    .map((example) => [example.type, example]),
);
/** The last cell of each row of an event, by its type. */
const rows = new Map(
  [...guide.matchAll(/^\| `((?:lead|endpoint)\.\w+)` +\|.*\| ([^|]+) \|$/gm)].map(
    ([, type = '', data = '']) => [type, data],
  ),
);

interface Property {
  const?: string;
  enum?: string[];
}

/** The fields of an event's `data` and the values of those that have a list of them. */
function namesIn(type: (typeof eventTypes)[number]): string[] {
  const schema = z.toJSONSchema(eventSchemas[type].shape.data);
  const [named = schema] = Object.entries(schema.$defs ?? {})
    .filter(([name]) => schema.$ref?.endsWith(`/${name}`))
    .map(([, each]) => each);
  const { properties = {} } = named;
  return Object.entries(properties as Record<string, Property>)
    .filter(([field]) => !(type.startsWith('lead.') && IN_ALL.includes(field)))
    .flatMap(([field, schema]) => [field, ...(schema.enum ?? [schema.const ?? []].flat())]);
}

const quoted = (text: string) => [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

describe('docs/integration-webhooks.md', () => {
  test('has each event, by an example or in a table', () => {
    expect([...examples.keys(), ...rows.keys()].toSorted()).toEqual(eventTypes.toSorted());
  });

  test('shows in full just those that an endpoint gets by default', () => {
    expect([...examples.keys()]).toEqual(DEFAULT_EVENT_TYPES);
  });

  test.each(eventTypes)('says of %s what its schema says', (type) => {
    const [example, row] = [examples.get(type), rows.get(type)];
    if (example) expect(eventSchemas[type].parse(example)).toEqual(example);
    else expect(quoted(row ?? '').toSorted()).toEqual(namesIn(type).toSorted());
  });

  test('reads all events of leads in its programs', () => {
    const lists = [...guide.matchAll(/TYPES = ["']([^"']*)["']/g)].map(([, list]) => list);
    expect(lists).toEqual([leadEventTypes.join(), leadEventTypes.join()]);
  });
});

test('docs/integration.md names each event of leads', () => {
  const named = quoted(read('integration.md')).filter((name) => name.startsWith('lead.'));
  expect([...new Set(named)].toSorted()).toEqual(leadEventTypes.toSorted());
});
