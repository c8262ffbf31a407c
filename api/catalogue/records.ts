import { z } from 'zod';

/** What the reference reads have in common, and the records of their responses (Reference records). */

export const referenceRead = {
  method: 'GET',
  tag: 'Reference data',
  cacheable: true,
} as const;

export const developerRecord = z
  .object({
    id: z.guid(),
    name: z.string(),
    slug: z.string(),
    logoUrl: z.string().nullable(),
    imageUrl: z.string().nullable(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    popular: z.boolean(),
    contactId: z.guid().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Developer' });

export const locationRecord = z
  .object({
    id: z.guid(),
    name: z.string().meta({ description: 'The value to send as `areaOfInterest`.' }),
    level: z.string(),
    path: z.string().meta({ description: 'The full ancestry, root first.' }),
  })
  .meta({ id: 'Location' });

export const statusRecord = z
  .object({ id: z.guid(), name: z.string(), color: z.string().nullable() })
  .meta({ id: 'ProjectStatus' });

export const offsetMeta = z
  .object({ limit: z.int(), offset: z.int(), total: z.int() })
  .meta({ id: 'PageMeta' });

const image = z
  .object({ url: z.string().nullable(), alt: z.string().nullable() })
  .meta({ id: 'Image' });

const projectDeveloper = z
  .object({ id: z.guid(), name: z.string(), slug: z.string(), logoUrl: z.string().nullable() })
  .meta({ id: 'ProjectDeveloper' });

const projectLocation = z
  .object({ id: z.guid(), name: z.string(), path: z.string() })
  .meta({ id: 'ProjectLocation' });

/** What a project has with `simplified=false` only. */
const full = z.object({
  description: z.string().nullable(),
  ownershipType: z.string().nullable(),
  stockAvailability: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  amenities: z.array(z.string()),
  bedrooms: z.array(z.string()),
  images: z.array(image),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export const projectRecord = z
  .object({
    id: z.guid(),
    title: z.string().nullable(),
    slug: z.string().nullable(),
    campaignType: z.string().nullable(),
    propertyTypes: z.array(z.string()),
    startingPrice: z.string().nullable(),
    deliveryDate: z.iso.datetime().nullable(),
    brochure: z.boolean(),
    paymentPlans: z.array(z.string()),
    developer: projectDeveloper.nullable(),
    location: projectLocation,
    image,
    status: statusRecord,
    ...full.partial().shape,
  })
  .meta({
    id: 'Project',
    description: `With \`simplified=false\` it also has ${Object.keys(full.shape).join(', ')}.`,
  });

export const pin = z
  .object({
    id: z.guid(),
    title: z.string().nullable(),
    slug: z.string().nullable(),
    latitude: z.number(),
    longitude: z.number(),
    startingPrice: z.string().nullable(),
    status: statusRecord,
  })
  .meta({ id: 'ProjectPin' });

const named = z.object({ id: z.guid(), name: z.string() }).meta({ id: 'NamedValue' });
const namedLocation = named.extend({ fullName: z.string() }).meta({ id: 'LocationValue' });

function group<Value extends z.ZodType>(id: string, value: Value) {
  return z.object({ displayName: z.string(), values: z.array(value) }).meta({ id });
}

const filterGroups = z
  .object({
    developer: group('DeveloperFilter', named),
    location: group('LocationFilter', namedLocation),
    propertyType: group('PropertyTypeFilter', named),
    status: group('StatusFilter', statusRecord),
  })
  .meta({ id: 'FilterGroups' });

export const projectFilterLists = z
  .object({ filters: filterGroups })
  .meta({ id: 'ProjectFilters' });
