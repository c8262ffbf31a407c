import process from 'node:process';
import { migrate } from './migrator.ts';

// eslint-disable-next-line no-restricted-properties -- an entry point
const url = process.env.DATABASE_URL;
if (!url) {
  console.error('DATABASE_URL is not set: give the address of the Postgres to migrate.');
  process.exit(1);
}
for (const name of await migrate(url)) console.log(`migrated ${name}`);
