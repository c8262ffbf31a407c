const ID = '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';

/** Every operation accepts its examples together, so that an alias has the value of its parameter. */
export const parameterExamples: Readonly<Record<string, unknown>> = {
  id: ID,
  fresh: 'false',
  after: 'first',
  since: '2026-09-20T08:15:30.000Z',
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
      [name, ID],
      [`${name}s`, ID],
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
