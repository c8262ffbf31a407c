import { z } from 'zod';

const row = z.object({
  input: z.string().meta({ description: 'The number exactly as sent.' }),
  phone: z.string().nullable().meta({ description: 'Local form.' }),
  e164: z.string().nullable(),
  status: z
    .enum(['registered', 'not_registered', 'not_found', 'invalid', 'unavailable'])
    .meta({ description: '`not_found` is not a clearance.' }),
  onDncr: z.boolean().nullable(),
  dncrStatus: z.string().nullable().meta({ description: 'The raw status of the registry.' }),
  registryStatus: z.string().nullable().meta({ description: 'The registry’s text, verbatim.' }),
  checkedAt: z.iso.datetime().nullable(),
  source: z.enum(['cache', 'fresh']).nullable(),
  error: z.string().nullable(),
});

const meta = z.object({
  requested: z.int(),
  unique: z.int(),
  invalid: z.int(),
  fromCache: z.int(),
  fromRegistry: z.int(),
  fresh: z.boolean(),
  cacheTtlDays: z.int(),
  maxNumbersPerRequest: z.int(),
  transactionId: z.string().nullable(),
});

/** DNCR result rows and their `meta`. */
export const dncrResult = z.object({ data: z.array(row), meta });

export const dncrExample = {
  data: [
    {
      input: '050 123 4567',
      phone: '0501234567',
      e164: '+971501234567',
      status: 'not_registered',
      onDncr: false,
      dncrStatus: 'FALSE',
      registryStatus: null,
      checkedAt: '2026-09-20T08:15:30.000Z',
      source: 'cache',
      error: null,
    },
  ],
  meta: {
    requested: 1,
    unique: 1,
    invalid: 0,
    fromCache: 1,
    fromRegistry: 0,
    fresh: false,
    cacheTtlDays: 180,
    maxNumbersPerRequest: 20,
    transactionId: null,
  },
} satisfies z.output<typeof dncrResult>;
