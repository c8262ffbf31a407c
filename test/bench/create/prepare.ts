import process from 'node:process';

type Migrator = typeof import('../../../store/db/migrator.ts');
type Api = typeof import('../../support/api.ts');
type ReferenceData = typeof import('../../support/reference.ts');

const CLIENTS = 10;

// Fills an empty database by the code of a checkout, which may be an earlier release with another schema.
// eslint-disable-next-line no-restricted-properties -- an entry point
const { CHECKOUT = '', DATABASE_URL = '' } = process.env;
const { migrate } = (await import(`${CHECKOUT}/store/db/migrator.ts`)) as Migrator;
const { startTestApi } = (await import(`${CHECKOUT}/test/support/api.ts`)) as Api;
const { seedReference } = (await import(`${CHECKOUT}/test/support/reference.ts`)) as ReferenceData;
await migrate(DATABASE_URL);
const api = await startTestApi({ databaseUrl: DATABASE_URL });
await seedReference(api.database);
const tokens: string[] = [];
while (tokens.length < CLIENTS)
  tokens.push((await api.addClient({ dailyQuota: 10_000_000 })).token);
await api.stop();
process.send?.(tokens.join(' '), () => process.exit());
