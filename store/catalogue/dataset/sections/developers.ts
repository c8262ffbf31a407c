import { disableMissing } from '../disable-missing.ts';
import type { WriteSection } from '../import-context.ts';
import { upsert } from '../upsert.ts';
import type { UpsertTable } from '../upsert.ts';

const table: UpsertTable = {
  name: 'developers',
  columns: ['id', 'slug', 'name', 'description', 'logo_url', 'image_url', 'enabled', 'popular'],
  insertOnly: ['slug'],
  hasUpdatedAt: true,
};

export const writeDevelopers: WriteSection<'developers'> = async (context, records) => {
  const rows = records.map(({ value: { logoUrl, imageUrl, ...rest } }) => ({
    ...rest,
    id: context.ids.of('developers', rest.slug),
    logo_url: logoUrl,
    image_url: imageUrl,
  }));
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const present = rows.map(({ id }) => id);
  const disabled = await disableMissing(
    context,
    { table: table.name, column: 'enabled', hasUpdatedAt: true },
    present,
  );
  return { ...counts, disabled };
};
