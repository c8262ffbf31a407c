import { sampleAgent } from '../../domain/webhooks/event-payloads.ts';
import type { Document } from './descriptions.ts';
import { EXAMPLE_ID } from './responses.ts';

/** JSON Schema as far as zod writes it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}

interface Operation {
  parameters?: { name: string; schema: Schema & { examples?: unknown[] } }[];
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/** Adds an example to every parameter, and to every response whose route has none of its own. */
export function addExamples(document: Document): Document {
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const items = Object.values(document.paths ?? {});
  const operations = items.flatMap((item) => Object.values(item) as Operation[]);
  for (const { name, schema } of operations.flatMap(({ parameters = [] }) => parameters))
    schema.examples = [sampleParameters[name]];
  const responses = operations.flatMap((operation) => Object.values(operation.responses ?? {}));
  for (const media of responses.flatMap(({ content = {} }) => Object.values(content))) {
    if (media.schema === undefined || 'example' in media || 'examples' in media) continue;
    media.example = buildExample(media.schema, components);
  }
  return document;
}

/** An example built from the schema. A property has the sample value of its name, if any; else a nullable one is null. */
function buildExample(schema: Schema, components: Record<string, Schema>, name = ''): unknown {
  if (Object.hasOwn(sampleValues, name)) return sampleValues[name];
  if (schema.$ref) return buildComponent(schema.$ref.split('/').at(-1) ?? '', components);
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  if ([schema, ...choices].some(({ type }) => [type].flat().includes('null'))) return null;
  if (choices[0]) return buildExample(choices[0], components, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  return buildExampleOfType(schema, components, name);
}

function buildComponent(id: string, components: Record<string, Schema>): unknown {
  const built = buildExample(components[id] ?? {}, components);
  const sample = sampleRecords[id];
  return sample ? { ...(built as object), ...sample } : built;
}

function buildExampleOfType(schema: Schema, components: Record<string, Schema>, name: string) {
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const exampleOf = (key: string) => buildExample(properties[key] ?? {}, components, key);
      return Object.fromEntries(required.map((key) => [key, exampleOf(key)]));
    }
    case 'array':
      return [buildExample(schema.items ?? {}, components, name.replace(/s$/, ''))];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    case 'string':
      return exampleTexts[schema.format ?? ''] ?? 'text';
    default:
      return {};
  }
}

const TIME = '2026-09-20T08:15:30.000Z';

const exampleTexts: Readonly<Record<string, string>> = { uuid: EXAMPLE_ID, 'date-time': TIME };

const developer = {
  id: 'f0a1b2c3-d4e5-4f60-8a7b-9c0d1e2f3a4b',
  name: 'Harbour Homes',
  slug: 'harbour-homes',
};

const logoUrl = 'https://developer.example/logo.png';

const funnel = { id: '1d6f3c58-2c0f-4b6c-9a43-0c9e5b7f8a02', name: 'Main' };

const tower = { title: 'Marina Heights', slug: 'marina-heights' };

/** The values of components in the examples, where those of their names would not agree with each other. */
const sampleRecords: Readonly<Record<string, object>> = {
  Agent: sampleAgent,
  Assignment: { status: 'assigned', agent: sampleAgent },
  Developer: { ...developer, enabled: true },
  Project: {
    ...tower,
    propertyTypes: ['Apartment'],
    deliveryDate: TIME,
    paymentPlans: ['60/40'],
    developer: { ...developer, logoUrl },
  },
  ProjectPageMeta: { limit: 20 },
  ProjectPin: tower,
  ProjectStatus: { id: '2b3c4d5e-6f70-4812-9a3b-4c5d6e7f8091', name: 'Under construction' },
  DeveloperFilter: {
    displayName: 'Developer',
    values: [{ id: developer.id, name: developer.name }],
  },
  PropertyTypeFilter: {
    displayName: 'Property type',
    values: [{ id: '7c8d9eaf-b0c1-4d2e-8f30-415263748596', name: 'Apartment' }],
  },
  LocationFilter: { displayName: 'Location' },
  StatusFilter: { displayName: 'Status' },
  Lead: {
    status: 'pending',
    stage: { id: '4d5e6f70-8192-4a3b-8c4d-5e6f708192a3', name: 'New', funnel },
  },
  UpdatedLead: { updated: true },
  LeadCreatedData: { status: 'pending' },
  LeadCreatedEvent: { id: 'evt_5c6d7e8f-9012-4a3b-8c4d-5e6f70819203' },
  EventPageMeta: { next: 'evt_5c6d7e8f-9012-4a3b-8c4d-5e6f70819203', hasMore: false },
};

/** The value of each property of these names in the examples of responses. */
const sampleValues: Readonly<Record<string, unknown>> = {
  leadPhones: ['+971501234567'],
  leadEmails: ['buyer@example.com'],
  leadFirstName: 'Aisha',
  leadLastName: 'Rahman',
  integrationRef: 'landing-page-7',
  budgetMin: '1500000',
  budgetMax: '2500000',
  initialInquiry: 'Two bedrooms with a sea view, please.',
  areaOfInterest: { id: '5e0d2f83-0a3e-4f0e-9f0b-6a7c1f1f3c21', name: 'Dubai Marina' },
  leadType: { id: 'b6a3f7f0-7a3e-4a5b-8c6e-2f5a1b9d4e10', name: 'Primary Buyer' },
  source: { id: 'c7b8d5a2-94a5-4c4e-8d9b-0f6f6e7a1b11', name: 'Website' },
  currency: { id: 'AED', name: 'UAE Dirham' },
  localeCountry: { id: 'AE', name: 'United Arab Emirates' },
  languages: [{ id: 'ar', name: 'Arabic' }],
  funnel,
  subSource: [],
  updatedFields: ['budgetMax', 'closingAreaId'],
  agentResponseSeconds: 420,
  name: 'Dubai Marina',
  path: 'Dubai > Dubai Marina',
  fullName: 'Dubai > Dubai Marina',
  level: 'community',
  logoUrl,
  url: 'https://developer.example/image.jpg',
  alt: 'Marina Heights',
  color: '#2f855a',
  contactId: '3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2',
  startingPrice: '1200000',
  latitude: 25.0772,
  longitude: 55.1398,
  limit: 50,
  offset: 0,
  total: 1,
};

/** The example of each parameter, by its name; aliases have the value of the name that they stand for. */
const sampleParameters: Readonly<Record<string, unknown>> = {
  id: EXAMPLE_ID,
  fresh: 'false',
  after: 'first',
  since: TIME,
  integrationRef: 'landing-page-7',
  types: 'lead.created,lead.assigned',
  limit: 20,
  offset: 0,
  page: 1,
  ...Object.fromEntries(
    ['search', 'q', 'query', 'term', 'keyword'].map((name) => [name, 'marina']),
  ),
  sort: 'createdAt:desc',
  order: 'asc',
  popular: true,
  level: 'community',
  ...Object.fromEntries(
    ['developerId', 'locationId', 'statusId', 'propertyType'].flatMap((name) => [
      [name, EXAMPLE_ID],
      [`${name}s`, EXAMPLE_ID],
    ]),
  ),
  minPrice: '1000000',
  maxPrice: '2500000',
  deliveryFrom: '2027-01-01',
  deliveryTo: '2028-06-30',
  ownershipType: 'Freehold',
  campaignType: 'Launch',
  stockAvailability: 'Available',
  simplified: true,
  north: '25.3',
  south: '24.9',
  east: '55.4',
  west: '55.0',
};
