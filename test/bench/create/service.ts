import process from 'node:process';
import { pino } from 'pino';
import { createLeadDispatcher } from '../../../api/leads/lead-dispatcher.ts';
import { startTestApi } from '../../support/api.ts';

// The API as it is, in a process of its own; only the signals to Temporal cost nothing.
const api = await startTestApi({
  // eslint-disable-next-line no-restricted-properties -- an entry point
  databaseUrl: process.env.DATABASE_URL ?? '',
  leads: (database) =>
    createLeadDispatcher({
      client: { workflow: { signalWithStart: async () => undefined } } as never,
      database,
      log: pino({ level: 'silent' }),
      now: () => new Date(),
    }),
});
process.send?.(`${api.url}/public/leads`);
process.on('disconnect', () => process.exit());
