import { p } from '@mikro-orm/core';
import { table } from './table.ts';

export const Contact = table('contacts', {
  id: p.uuid().primary(),
  firstName: p.text().nullable(),
  middleName: p.text().nullable(),
  lastName: p.text().nullable(),
  companyName: p.text().nullable(),
  markedAsAgent: p.boolean().default(false),
  createdAt: p.datetime(),
});

export const ContactPoint = table('contact_points', {
  kind: p.enum(['phone', 'email']).primary(),
  value: p.text().primary(),
  contact: () => p.manyToOne(Contact).index('contact_points_contact'),
});

export const KnownAgent = table('known_agents', {
  kind: p.enum(['phone', 'email']).primary(),
  value: p.text().primary(),
});

export const CompetitorDomain = table('competitor_domains', { domain: p.text().primary() });

/** Contains no personal data. */
export const Erasure = table('erasures', {
  id: p.uuid().primary(),
  reason: p.enum(['person', 'retention']),
  author: p.text(),
  startedAt: p.datetime(),
  /** Null while leads remain; a new run resumes the erasure. */
  finishedAt: p.datetime().nullable(),
  /** Keyed hashes of phones and emails; empty for retention, which covers many customers. */
  contactPointHashes: p.blob().$type<Buffer>().array().columnType('bytea[]').default([]),
  leads: p.integer().default(0),
});
