import {
  createDatasetParser,
  type ParsedDataset,
} from '../../domain/catalogue/dataset/parse-dataset.ts';
import type { DatasetEvent } from '../../domain/catalogue/dataset/sections.ts';

/** One small dataset with every section, in which records name each other in every way there is. */
export function sampleDataset() {
  return {
    locations: [
      {
        key: 'dubai/dubai-marina/marina-gate',
        name: 'Marina Gate',
        level: 'sub-community',
        parent: 'dubai/dubai-marina',
      },
      {
        key: 'dubai/dubai-marina',
        name: 'Dubai Marina',
        nameAr: 'دبي مارينا',
        level: 'community',
        parent: 'dubai',
        latitude: 25.08,
        longitude: 55.14,
      },
      { key: 'dubai', name: 'Dubai', nameAr: 'دبي', level: 'emirate' },
      { key: 'dubai/creek-harbour', name: 'Creek Harbour', level: 'community', parent: 'dubai' },
    ],
    propertyTypes: [{ name: 'Apartment' }, { name: 'Villa' }],
    developers: [
      { slug: 'emaar', name: 'Emaar Properties', popular: true },
      { slug: 'nakheel', name: 'Nakheel', enabled: false, description: 'Master developer' },
    ],
    projectStatuses: [{ name: 'Off Plan', color: '#1E88E5' }, { name: 'Ready' }],
    projects: [
      {
        slug: 'creek-edge',
        title: 'Creek Edge',
        developer: 'emaar',
        location: 'dubai/creek-harbour',
        status: 'Off Plan',
        propertyTypes: ['Apartment'],
        campaignType: null,
        ownershipType: 'Freehold',
        stockAvailability: 'Available',
        startingPrice: '1450000',
        deliveryDate: '2028-06-30',
        brochure: true,
        paymentPlans: ['60/40'],
        latitude: 25.2,
        longitude: 55.34,
        bedrooms: ['1', '2'],
        amenities: [],
        images: [{ url: 'https://images.example/creek-edge.jpg', alt: 'Creek Edge' }],
        published: true,
      },
    ],
    sources: [
      { name: 'Website', subSources: ['Landing Page', 'Chat'] },
      { name: 'Property Portal A', portal: true, subSources: ['Chat'] },
    ],
    campaigns: [{ name: 'Marina Spring' }],
    marketingTypes: [{ name: 'Paid' }],
    eventTypes: [{ name: 'Submit Form' }],
    websites: [{ domain: 'Example.ae', name: 'Example' }],
    leadTypes: [{ name: 'Primary Buyer', aliases: ['First Hand'] }],
    funnels: [
      { key: 'leasing', name: 'Leasing', stages: ['New', 'Contacted', 'Viewing', 'Closed'] },
    ],
    languages: [{ code: 'ar', name: 'Arabic', aliases: ['Khaleeji'] }],
    agents: [
      {
        email: 'Sara@agency.example',
        name: 'Sara H',
        phone: '+971500000001',
        languages: ['ar', 'English'],
        locations: ['dubai/dubai-marina'],
        category: 'A',
        workingHours: { 'mon-thu': ['09:00-13:00', '16:00-20:00'], fri: '20:00-02:00' },
        dailyCap: 10,
      },
      { email: 'omar@agency.example', name: 'Omar K', slug: 'omar' },
    ],
    teams: [
      {
        name: 'Marina Sales',
        members: [{ agent: 'sara@agency.example', weight: 2 }, { agent: 'omar@agency.example' }],
      },
    ],
    absences: [
      { agent: 'Sara@agency.example', from: '2026-12-20', to: '2026-12-27', note: 'annual leave' },
      {
        agent: 'omar@agency.example',
        from: '2026-12-20T09:00+04:00',
        to: '2026-12-20T12:00+04:00',
      },
    ],
    datedHours: [
      {
        agent: 'omar@agency.example',
        from: '2027-02-18',
        to: '2027-03-19',
        workingHours: { 'mon-sun': '20:00-02:00' },
      },
    ],
    holidays: [{ name: 'National Day', from: '2026-12-02', to: '2026-12-03' }],
    pools: [{ name: 'Weekend Pool' }],
    listings: [
      {
        referenceNo: 'AG-S-1001',
        purpose: 'sale',
        market: 'secondary',
        price: '2100000',
        currency: 'AED',
        bedrooms: '2',
        developer: 'emaar',
        location: 'dubai/dubai-marina',
        propertyType: 'Apartment',
        agent: 'sara@agency.example',
      },
      {
        id: '5f0c9f5e-7a3f-4a0e-9a54-0c9d5a4f1001',
        referenceNo: 'AG-R-2',
        purpose: 'rent',
        market: 'secondary',
      },
      {
        id: '5f0c9f5e-7a3f-4a0e-9a54-0c9d5a4f1002',
        referenceNo: 'ag-r-2',
        purpose: 'rent',
        market: 'secondary',
      },
    ],
    quizFields: [{ quizKey: 'finder', questionKey: 'budget', field: 'budget' }],
    knownAgents: [{ email: 'Broker@rival.example' }, { phone: '050 123 4567' }],
    competitorDomains: ['Rival.example'],
    rules: [
      {
        name: 'Marina Arabic speakers',
        order: 10,
        when: [
          [
            { field: 'location', op: 'within', values: ['dubai/dubai-marina'] },
            { field: 'language', op: 'in', values: ['Arabic'] },
            { field: 'subSource', op: 'in', values: ['Chat'] },
          ],
          [{ field: 'budget', op: 'between', values: [1000000, null] }],
        ],
        target: { kind: 'team', name: 'Marina Sales' },
        gates: { language: 'require' },
        onExhausted: { kind: 'pool', name: 'Weekend Pool' },
        followUp: { minutes: 15, clock: 'working', onExpiry: 'reassign', maxMoves: 1 },
      },
      {
        name: 'Roadshows',
        order: 20,
        claims: ['roadshow'],
        target: { kind: 'agent', name: 'sara@agency.example' },
      },
    ],
  };
}

/** A dataset in memory as an import reads it. */
export function* datasetEvents(json: unknown): Generator<DatasetEvent> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    yield { kind: 'no dataset' };
    return;
  }
  for (const [section, records] of Object.entries(json)) {
    if (records === undefined) continue;
    yield { kind: 'section', name: section, isList: Array.isArray(records) };
    for (const [index, value] of Array.isArray(records) ? records.entries() : [])
      yield { kind: 'record', section, index, value };
  }
}

export function parseDataset(json: unknown): ParsedDataset {
  const parser = createDatasetParser();
  for (const event of datasetEvents(json)) parser.read(event);
  return parser.parsed();
}
