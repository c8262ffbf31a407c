import * as z from 'zod';
import { withoutInvisible } from '../../invisible-characters.ts';
import { lookupKey } from '../lookups/lookup-list.ts';
import type { Period } from '../../routing/calendar.ts';
import { ruleSchema } from '../../routing/rule-schema.ts';
import { isTimeZone } from '../../routing/local-time.ts';
import { workingHoursIssues } from '../../routing/working-hours.ts';
import {
  flag,
  latitude,
  listOf,
  longitude,
  name,
  names,
  optionalAmount,
  optionalCap,
  optionalDate,
  optionalId,
  optionalName,
  optionalText,
  orDefault,
} from './values.ts';

/** Agents and their teams, places, developers, projects, listings and rules. */

const email = name
  .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'Expected an e-mail address')
  .transform((value) => withoutInvisible(value).trim().toLowerCase());

const times = z.union(
  [z.string(), z.array(z.string())],
  'Expected times such as "09:00-18:00" or a list of them',
);

const workingHours = orDefault(
  z.record(z.string(), times).superRefine((hours, context) => {
    for (const message of workingHoursIssues(hours)) context.addIssue({ code: 'custom', message });
  }),
  {},
);

const timeZone = name.refine(isTimeZone, 'Expected a time zone such as "Asia/Dubai"').nullish();

export const agentSchema = z.strictObject({
  id: optionalId,
  email,
  name,
  slug: optionalName,
  phone: optionalName,
  whatsappPhone: optionalName,
  active: flag(true),
  languages: names,
  locations: names,
  category: optionalName,
  timeZone,
  workingHours,
  dailyCap: optionalCap,
  openCap: optionalCap,
});

const dateOrTime = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, precision: -1 }), z.iso.datetime({ offset: true })],
  'Expected a date such as "2026-12-20" or a time such as "2026-12-20T09:00+04:00"',
);
const period = { from: dateOrTime, to: dateOrTime };

/** A date and a time are compared by their days: only the agent's zone says when the date begins. */
function isInOrder({ from, to }: Period): boolean {
  const areTimes = from.includes('T') && to.includes('T');
  return areTimes ? Date.parse(from) < Date.parse(to) : from.slice(0, 10) <= to.slice(0, 10);
}

const ORDER = { path: ['to'], message: 'is before "from"' };

export const absenceSchema = z
  .strictObject({ agent: name, ...period, note: optionalText })
  .refine(isInOrder, ORDER);

const date = z.iso.date('Expected a date such as "2026-12-20"');

export const datedHoursSchema = z
  .strictObject({ agent: name, from: date, to: date, workingHours })
  .refine(isInOrder, ORDER);

export const holidaySchema = z.strictObject({ name, ...period }).refine(isInOrder, ORDER);

const memberSchema = z.strictObject({
  agent: name,
  weight: orDefault(z.int().min(1).max(10_000), 1),
});

export const teamSchema = z.strictObject({ id: optionalId, name, members: listOf(memberSchema) });

export const locationSchema = z.strictObject({
  id: optionalId,
  key: name.transform(lookupKey),
  name,
  nameAr: optionalName,
  level: name,
  parent: optionalName,
  latitude,
  longitude,
  enabled: flag(true),
});

export const developerSchema = z.strictObject({
  id: optionalId,
  slug: name,
  name,
  description: optionalText,
  logoUrl: optionalName,
  imageUrl: optionalName,
  enabled: flag(true),
  popular: flag(false),
});

export const projectSchema = z.strictObject({
  id: optionalId,
  slug: name,
  title: optionalName,
  developer: optionalName,
  location: name,
  status: name,
  propertyTypes: names,
  campaignType: optionalName,
  ownershipType: optionalName,
  stockAvailability: optionalName,
  startingPrice: optionalAmount,
  deliveryDate: optionalDate,
  brochure: flag(false),
  paymentPlans: names,
  latitude,
  longitude,
  bedrooms: names,
  amenities: names,
  description: optionalText,
  images: listOf(z.strictObject({ url: name, alt: optionalText })),
  published: flag(true),
});

export const listingSchema = z.strictObject({
  id: optionalId,
  referenceNo: z
    .string()
    .overwrite(withoutInvisible)
    .trim()
    .normalize('NFC')
    .max(128)
    .min(1, 'Must not be empty'),
  purpose: z.enum(['sale', 'rent']),
  market: z.enum(['primary', 'secondary']),
  price: optionalAmount,
  priceOnApplication: flag(false),
  currency: optionalName,
  bedrooms: optionalName,
  developer: optionalName,
  location: optionalName,
  propertyType: optionalName,
  agent: optionalName,
  enabled: flag(true),
});

/** At most a year: a later end may lie beyond what a date can hold. */
const minutes = z.number().max(366 * 24 * 60);

/** A rule as people write it: the stored rule (domain/routing) with names in place of ids. */

const leave = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('next') }),
  z.strictObject({ kind: z.literal('pool'), name }),
  z.strictObject({ kind: z.literal('unassigned') }),
]);

const onExhausted = z.discriminatedUnion('kind', [
  ...leave.options,
  z.strictObject({
    kind: z.literal('wait'),
    atMostMinutes: minutes.positive(),
    then: leave.default({ kind: 'next' }),
  }),
]);

const followUp = ruleSchema.shape.followUp
  .unwrap()
  .omit({ poolId: true })
  .extend({
    minutes: minutes.min(0).nullable().default(null),
    /** Where `onExpiry: pool` leaves the lead; else the pool of `onExhausted`. */
    pool: name.nullish(),
  });

export const namedRuleSchema = ruleSchema.extend({
  target: z.strictObject({ kind: z.enum(['agent', 'team', 'pool']), name }),
  onExhausted: onExhausted.default({ kind: 'next' }),
  followUp: followUp.prefault({}),
});

/** Null is as if omitted, at any depth; within a list, such as the bounds of a budget, it is a value. */
export const ruleRecordSchema = z.preprocess(withoutNulls, namedRuleSchema);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given.map(([key, each]) => [key, withoutNulls(each)]));
}

export type NamedRule = z.output<typeof namedRuleSchema>;
