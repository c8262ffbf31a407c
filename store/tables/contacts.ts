import { defineEntity, p } from '@mikro-orm/core';

export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    id: p.uuid().primary(),
    firstName: p.text().nullable(),
    middleName: p.text().nullable(),
    lastName: p.text().nullable(),
    companyName: p.text().nullable(),
    markedAsAgent: p.boolean().default(false),
    createdAt: p.datetime(),
  },
});

export const ContactPoint = defineEntity({
  name: 'ContactPoint',
  tableName: 'contact_points',
  properties: {
    kind: p.enum(['phone', 'email']).primary(),
    value: p.text().primary(),
    contact: () => p.manyToOne(Contact).index('contact_points_contact'),
  },
});

/** A phone or address that belongs to an agent of another company. */
export const KnownAgent = defineEntity({
  name: 'KnownAgent',
  tableName: 'known_agents',
  properties: {
    kind: p.enum(['phone', 'email']).primary(),
    value: p.text().primary(),
  },
});

export const CompetitorDomain = defineEntity({
  name: 'CompetitorDomain',
  tableName: 'competitor_domains',
  properties: { domain: p.text().primary() },
});
