import process from 'node:process';
import { connectDatabase } from '../../../store/db/database.ts';
import { purge } from '../../../store/maintenance/retention.ts';
import { parseConfig } from '../../../platform/config.ts';

/** The purge of the daily maintenance in a process that is killed after its first batch of rows. */
// eslint-disable-next-line no-restricted-properties -- an entry point
const config = parseConfig(process.env);
const connection = { ...config.database, connectTimeoutMs: 60_000 };
const database = await connectDatabase({ ...connection, genericPlans: true });
await purge(database, config.retain, new Date(), (rows) => {
  if (rows > 0) process.kill(process.pid, 'SIGKILL');
});
