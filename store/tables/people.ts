import { p } from '@mikro-orm/core';
import { table } from './table.ts';

/** The proof of an erasure: who erased whom, when. It names no person. */
export const Erasure = table('erasures', {
  id: p.uuid().primary(),
  reason: p.enum(['person', 'retention']),
  author: p.text(),
  startedAt: p.datetime(),
  /** Null while leads are left: it goes on when it is run again. */
  finishedAt: p.datetime().nullable(),
  /** Keyed hashes of the person's phones and e-mails; none for a retention, which is of many persons. */
  contactPointHashes: p.blob().$type<Buffer>().array().columnType('bytea[]').default([]),
  leads: p.integer().default(0),
});
