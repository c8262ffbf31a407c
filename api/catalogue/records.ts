import { z } from 'zod';
import { namedObject } from '../http/route.ts';

export const referenceRead = {
  method: 'GET',
  tag: 'Reference data',
  cacheable: true,
} as const;

const id = z.guid().describe('Id of the record.');
const name = z.string().describe('Name of the record.');
const slug = z.string().describe('Name of the record in URLs.');
const logoUrl = z.string().nullable().describe('URL of the logo.');
const description = z.string().nullable().describe('Description of the record.');
const path = z.string().describe('The full ancestry, root first.');
const times = {
  createdAt: z.iso.datetime().describe('Time at which the record was created.'),
  updatedAt: z.iso.datetime().describe('Time of the last change.'),
};

export const developerRecord = z
  .object({
    id,
    name,
    slug,
    logoUrl,
    imageUrl: z.string().nullable().describe('URL of the picture.'),
    description,
    enabled: z.boolean().describe('True if in use; lists show no others.'),
    popular: z.boolean().describe('True if marked as popular.'),
    contactId: z.guid().nullable().describe('Contact of the developer in the CRM.'),
    ...times,
  })
  .meta({ id: 'Developer' });

export const locationRecord = z
  .object({
    id,
    name: z.string().describe('The value to send as `areaOfInterest`.'),
    level: z.string().describe('Level in the tree, such as `emirate` or `community`.'),
    path,
  })
  .meta({ id: 'Location' });

export const statusRecord = z
  .object({ id, name, color: z.string().nullable().describe('Colour, as `#rrggbb`.') })
  .meta({ id: 'ProjectStatus' });

export const offsetMeta = z
  .object({
    limit: z.int().describe('Maximum number of records on the page.'),
    offset: z.int().describe('Number of records before the page.'),
    total: z.int().describe('Number of all records.'),
  })
  .meta({ id: 'PageMeta' });

export function pageOf(id: string, record: z.ZodType, meta: z.ZodType) {
  return namedObject(id, {
    data: z.array(record).describe('Records of the page.'),
    meta: meta.describe('Position of the page.'),
  });
}

const image = z
  .object({
    url: z.string().nullable().describe('URL of the picture.'),
    alt: z.string().nullable().describe('Description of the picture.'),
  })
  .meta({ id: 'Image' });

const projectDeveloper = z.object({ id, name, slug, logoUrl }).meta({ id: 'ProjectDeveloper' });

const projectLocation = z.object({ id, name, path }).meta({ id: 'ProjectLocation' });

const full = z.object({
  description,
  ownershipType: z.string().nullable().describe('Kind of ownership.'),
  stockAvailability: z.string().nullable().describe('Availability of units.'),
  latitude: z.number().nullable().describe('Degrees north.'),
  longitude: z.number().nullable().describe('Degrees east.'),
  amenities: z.array(z.string()).describe('Names of the amenities.'),
  bedrooms: z.array(z.string()).describe('Available numbers of bedrooms.'),
  images: z.array(image).describe('All pictures.'),
  ...times,
});

const projectSlug = z.string().nullable().describe('Name of the project in URLs.');
const title = z.string().nullable().describe('Title of the project.');
const startingPrice = z.string().nullable().describe('Lowest price, as a decimal number.');
const projectStatus = statusRecord.describe('Status of the project.');

export const projectRecord = z
  .object({
    id,
    title,
    slug: projectSlug,
    campaignType: z.string().nullable().describe('Kind of the campaign.'),
    propertyTypes: z.array(z.string()).describe('Names of the property types.'),
    startingPrice,
    deliveryDate: z.iso.datetime().nullable().describe('Handover.'),
    brochure: z.boolean().describe('True if there is a brochure.'),
    paymentPlans: z.array(z.string()).describe('Names of the payment plans.'),
    developer: projectDeveloper.nullable().describe('Developer of the project.'),
    location: projectLocation.describe('Location of the project.'),
    image: image.describe('The main picture.'),
    status: projectStatus,
    ...full.partial().shape,
  })
  .meta({
    id: 'Project',
    description: `With \`simplified=false\` it also has ${Object.keys(full.shape).join(', ')}.`,
  });

export const pin = z
  .object({
    id,
    title,
    slug: projectSlug,
    latitude: z.number().describe('Degrees north.'),
    longitude: z.number().describe('Degrees east.'),
    startingPrice,
    status: projectStatus,
  })
  .meta({ id: 'ProjectPin' });

const named = z.object({ id, name }).meta({ id: 'NamedValue' });
const namedLocation = named.extend({ fullName: path }).meta({ id: 'LocationValue' });

function group<Value extends z.ZodType>(groupId: string, value: Value) {
  const displayName = z.string().describe('Name of the list, to show.');
  return namedObject(groupId, { displayName, values: z.array(value).describe('Entries.') });
}

const filterGroups = z
  .object({
    developer: group('DeveloperFilter', named).describe('All developers.'),
    location: group('LocationFilter', namedLocation).describe('All locations.'),
    propertyType: group('PropertyTypeFilter', named).describe('All property types.'),
    status: group('StatusFilter', statusRecord).describe('All project statuses.'),
  })
  .meta({ id: 'FilterGroups' });

export const projectFilterLists = z
  .object({ filters: filterGroups.describe('The lists, by what they filter.') })
  .meta({ id: 'ProjectFilters' });
