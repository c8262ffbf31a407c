import { randomUUID } from 'node:crypto';
import type { TestApi } from '../../support/api.ts';
import { imported } from '../../store/catalogue/open.ts';

const place = (key: string, name: string, over: object = {}) => ({
  key,
  name,
  level: key.includes('/') ? 'community' : 'emirate',
  ...(key.includes('/') ? { parent: key.slice(0, key.lastIndexOf('/')) } : {}),
  ...over,
});

const project = (slug: string, over: object) => ({
  slug,
  title: slug.replaceAll('-', ' '),
  location: 'dubai/dubai-marina',
  status: 'Off Plan',
  ...over,
});

/** Uuids of no version that there is. */
const plainId = (digit: string) => '00000000-0000-0000-0000-000000000000'.replaceAll('0', digit);

const catalogue = {
  locations: [
    place('dubai', 'Dubai', { nameAr: 'دبي' }),
    place('dubai/dubai-marina', 'Dubai Marina', { nameAr: 'دبي مارينا' }),
    place('dubai/dubai-marina/marina-gate', 'Marina Gate', { level: 'sub-community' }),
    place('dubai/marina', 'Marina'),
    place('dubai/jumeirah', 'Jumeirah', { nameAr: 'جميرا' }),
    place('dubai/cafe', 'Café Quarter', { nameAr: 'الإمارات القديمة' }),
    place('dubai/plan-100', '100% Plan_B'),
    place('abu-dhabi', 'Abu Dhabi', { nameAr: 'أبوظبي' }),
    place('abu-dhabi/marina', 'Marina'),
    place('abu-dhabi/marina/khalidiya', 'الخالدية'),
    place('abu-dhabi/closed', 'Marina Closed', { enabled: false }),
  ],
  developers: [
    {
      slug: 'emaar',
      name: 'Emaar Properties',
      popular: true,
      description: 'Built the tallest tower',
    },
    { slug: 'emaar-south', name: 'Emaar' },
    { slug: 'nakheel', name: 'Nakheel', popular: true, id: plainId('2') },
    { slug: 'meraas-x', name: 'Méraas', description: 'Says 50% off_plan' },
    { slug: 'damac', name: 'DAMAC Properties' },
    { slug: 'gone', name: 'Gone Emaar', enabled: false },
  ],
  propertyTypes: [{ name: 'Apartment' }, { name: 'Villa' }],
  projectStatuses: [
    { name: 'Off Plan', color: '#1E88E5' },
    { name: 'Ready', id: plainId('1') },
  ],
  projects: [
    project('creek-edge', {
      developer: 'emaar',
      location: 'dubai/jumeirah',
      propertyTypes: ['Apartment', 'Villa'],
      startingPrice: '1450000',
      deliveryDate: '2028-06-30',
      brochure: true,
      paymentPlans: ['60/40'],
      ownershipType: 'Freehold',
      campaignType: 'Launch',
      stockAvailability: 'Available',
      latitude: 25.2,
      longitude: 55.3,
      bedrooms: ['1'],
      amenities: ['Pool'],
      description: 'By the water',
      images: [{ url: 'https://images.example/1.jpg', alt: 'Front' }],
    }),
    project('gate-tower', {
      developer: 'nakheel',
      location: 'dubai/dubai-marina/marina-gate',
      propertyTypes: ['Apartment'],
      startingPrice: '900000.50',
      deliveryDate: '2027-01-01',
      ownershipType: 'Leasehold',
      stockAvailability: 'Sold out, waiting list',
      latitude: 25.08,
      longitude: 55.14,
    }),
    project('old-villa', {
      status: 'Ready',
      propertyTypes: ['Villa'],
      location: 'abu-dhabi/marina/khalidiya',
      latitude: -17,
      longitude: 179.5,
    }),
    project('far-side', { title: null, latitude: -17, longitude: -179.5 }),
    project('hidden', { published: false, latitude: 25.1, longitude: 55.2 }),
  ],
};

export async function withCatalogue(api: TestApi): Promise<void> {
  await imported(api.database, catalogue);
}

export async function idsOf(
  api: TestApi,
  table: string,
  key: string,
): Promise<Map<string, string>> {
  const rows = await api.database.query<{ key: string; id: string }>(
    `select ${key} as key, id from ${table}`,
  );
  return new Map(rows.map((row) => [row.key, row.id]));
}

export const unknownId = randomUUID();
