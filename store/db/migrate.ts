import process from 'node:process';
import { isConnectionError } from '../../platform/errors.ts';
import { migrate } from './migrator.ts';

// eslint-disable-next-line no-restricted-properties -- an entry point
const url = process.env.DATABASE_URL;
if (!url) {
  console.error('DATABASE_URL is not set: give the address of the Postgres to migrate.');
  process.exit(1);
}
try {
  for (const name of await migrate(url)) console.log(`migrated ${name}`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const what = isConnectionError(error)
    ? 'The Postgres at DATABASE_URL cannot be reached'
    : 'Nothing was migrated';
  console.error(`${what}: ${message}`);
  process.exit(1);
}
