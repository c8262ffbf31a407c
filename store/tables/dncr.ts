import { p } from '@mikro-orm/core';
import { OAuthClient } from './clients.ts';
import { table } from './table.ts';

export const DncrAnswer = table('dncr_answers', {
  phone: p.text().primary(),
  status: p.enum(['registered', 'not_registered', 'not_found']),
  dncrStatus: p.text().nullable(),
  registryStatus: p.text().nullable(),
  checkedAt: p.datetime().index('dncr_answers_age'),
  transactionId: p.text(),
  /** The same hash as in checks. */
  numberHash: p.blob().nullable(),
});

/** Evidence of the request, stored longer than the answers, with hashes only. */
export const DncrCheck = table('dncr_checks', {
  id: p.uuid().primary(),
  client: p.manyToOne(OAuthClient),
  requestedAt: p.datetime().index('dncr_checks_time'),
  finishedAt: p.datetime().nullable(),
  outcome: p.enum(['open', 'answered', 'failed']),
  fresh: p.boolean(),
  numberHashes: p.blob().$type<Buffer>().array().columnType('bytea[]'),
  invalid: p.integer(),
  fromCache: p.integer(),
  fromRegistry: p.integer().default(0),
  registered: p.integer().default(0),
  notRegistered: p.integer().default(0),
  notFound: p.integer().default(0),
  unavailable: p.integer().default(0),
  transactionId: p.text().nullable(),
});

/** Other checks that wait for a running check read its answers here. */
export const DncrCheckNumber = table('dncr_check_numbers', {
  check: p.manyToOne(DncrCheck).primary().deleteRule('cascade'),
  phone: p.text().primary(),
  status: p.enum(['registered', 'not_registered', 'not_found', 'unavailable']).nullable(),
  dncrStatus: p.text().nullable(),
  registryStatus: p.text().nullable(),
  checkedAt: p.datetime().nullable(),
  transactionId: p.text().nullable(),
  fromCache: p.boolean().default(false),
  numberHash: p.blob().nullable(),
});

export const DncrLease = table('dncr_leases', {
  phone: p.text().primary(),
  checkId: p.uuid().index('dncr_leases_check'),
  leaseUntil: p.datetime(),
});
