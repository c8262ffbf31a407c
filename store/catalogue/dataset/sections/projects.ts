import { disableMissing } from '../disable-missing.ts';
import type { WriteSection } from '../import-context.ts';
import { upsert } from '../upsert.ts';
import type { UpsertTable } from '../upsert.ts';

const table: UpsertTable = {
  name: 'projects',
  columns: [
    'id',
    'slug',
    'title',
    'description',
    'developer_id',
    'location_id',
    'status_id',
    'property_type_ids',
    'campaign_type',
    'ownership_type',
    'stock_availability',
    'starting_price',
    'delivery_date',
    'brochure',
    'payment_plans',
    'bedrooms',
    'amenities',
    'latitude',
    'longitude',
    'images',
    'published',
  ],
  insertOnly: ['slug'],
  hasUpdatedAt: true,
};

export const writeProjects: WriteSection<'projects'> = async (context, records) => {
  const { ids } = context;
  const rows = records.map(({ value: project }) => ({
    id: ids.of('projects', project.slug),
    slug: project.slug,
    title: project.title,
    description: project.description,
    developer_id: project.developer === null ? null : ids.of('developers', project.developer),
    location_id: ids.of('locations', project.location),
    status_id: ids.of('projectStatuses', project.status),
    property_type_ids: project.propertyTypes.map((type) => ids.of('propertyTypes', type)),
    campaign_type: project.campaignType,
    ownership_type: project.ownershipType,
    stock_availability: project.stockAvailability,
    starting_price: project.startingPrice,
    delivery_date: project.deliveryDate,
    brochure: project.brochure,
    payment_plans: project.paymentPlans,
    bedrooms: project.bedrooms,
    amenities: project.amenities,
    latitude: project.latitude,
    longitude: project.longitude,
    images: project.images,
    published: project.published,
  }));
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const present = rows.map(({ id }) => id);
  const disabled = await disableMissing(
    context,
    { table: table.name, column: 'published', hasUpdatedAt: true },
    present,
  );
  return { ...counts, disabled };
};
