import process from 'node:process';
import { ConfigurationError } from '../../platform/config.ts';
import { errorCode, isConnectionError, LOCK_NOT_AVAILABLE } from '../../platform/errors.ts';
import { refusalReason } from '../../platform/startup-error.ts';
import { migrate } from './migrator.ts';

// eslint-disable-next-line no-restricted-properties -- an entry point
const { DATABASE_URL: url, MIGRATE_DATABASE_URL: adminUrl } = process.env;
if (!url) {
  console.error('DATABASE_URL is not set: give the address of the Postgres to migrate.');
  process.exit(1);
}
const isApart = adminUrl && adminUrl !== url;
try {
  for (const name of await migrate(url, adminUrl || url)) console.log(`migrated ${name}`);
  if (!isApart)
    console.warn(
      'The service owns its tables. Set MIGRATE_DATABASE_URL for this command, so that the user of ' +
        'DATABASE_URL reads and writes rows only: see docs/operations.md.',
    );
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof ConfigurationError ? message : refusalReason(error);
  const isLocked = errorCode(error) === LOCK_NOT_AVAILABLE;
  const what = isLocked
    ? 'Nothing was migrated, since a table was in use. Run it again'
    : isConnectionError(error)
      ? `The Postgres at ${isApart ? 'MIGRATE_' : ''}DATABASE_URL cannot be reached`
      : 'Nothing was migrated';
  console.error(known ?? `${what}: ${message}`);
  process.exit(1);
}
