import process from 'node:process';
import { purgeKept } from '../../../activities/maintenance/housekeeping.ts';
import { connectDatabase } from '../../../store/db/database.ts';
import { parseConfig } from '../../../platform/config.ts';

/** The purge of the daily maintenance in a process that is killed after its first batch. */
// eslint-disable-next-line no-restricted-properties -- an entry point
const config = parseConfig(process.env);
const connection = { ...config.database, connectTimeoutMs: 60_000 };
const database = await connectDatabase({ ...connection, genericPlans: true });
await purgeKept({ config, database, now: () => new Date() }, () => {
  process.kill(process.pid, 'SIGKILL');
});
