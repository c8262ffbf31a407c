import process from 'node:process';
import { purgeKept } from '../../../activities/maintenance/housekeeping.ts';
import { connectDatabase } from '../../../store/db/database.ts';
import { parseConfig } from '../../../platform/config.ts';

/** The purge of the daily maintenance, as a process that a test can kill. */
// eslint-disable-next-line no-restricted-properties -- an entry point
const config = parseConfig(process.env);
const database = await connectDatabase({ ...config.database, genericPlans: true });
await purgeKept({ config, database, now: () => new Date() }, () => process.stdout.write('.'));
await database.close();
