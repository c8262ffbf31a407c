import * as z from 'zod';
import type { Period } from '../../routing/calendar.ts';
import { isTimeZone } from '../../routing/local-time.ts';
import { ruleSchema } from '../../routing/rules.ts';
import { parseHours, simplifyHours, workingHoursIssues } from '../../routing/working-hours.ts';
import { withoutInvisible } from '../../written-text.ts';
import { lookupKey } from '../lookups/lookup-list.ts';
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

export const ENABLED = 'A record that is switched off stays in old leads and matches no new one.';

/** Agents and their teams, places, developers, projects, listings and rules. */

const email = name
  .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'Expected an e-mail address')
  .transform((value) => withoutInvisible(value).trim().toLowerCase());

const times = z.union(
  [z.string(), z.array(z.string())],
  'Expected times such as "09:00-18:00" or a list of them',
);

const hoursByDay = z
  .record(
    z.string(),
    times,
    'Expected hours such as "mon-fri 09:00-18:00, sat 10:00-14:00" or { "mon-fri": "09:00-18:00" }',
  )
  .superRefine((hours, context) => {
    for (const message of workingHoursIssues(hours)) context.addIssue({ code: 'custom', message });
  })
  .transform(simplifyHours);

/** A text is as `leadctl agent hours` takes it. */
const workingHours = orDefault(
  z
    .preprocess(
      (given) => (typeof given === 'string' ? parseHours(given) : null) ?? given,
      hoursByDay,
    )
    .meta({ type: ['object', 'string'] }),
  {},
);

const agentPhone = optionalName.refine(
  (text) => !/^\d+([.,]\d+)?E\+\d+$/.test(text ?? ''),
  'The spreadsheet shortened it: format the column as text',
);

const timeZone = name.refine(isTimeZone, 'Expected a time zone such as "Asia/Dubai"').nullish();

export const agentSchema = z.strictObject({
  id: optionalId,
  email: email.describe('Where the agent is written to; in lower case.'),
  name: name.describe('Shown in responses and events.'),
  slug: optionalName.describe('The word in addresses. Left out: made of the name.'),
  phone: agentPhone.describe('Shown to whoever reads the assignment.'),
  whatsappPhone: agentPhone.describe('The same, for WhatsApp.'),
  active: flag(true).describe('An agent who is not active gets no lead.'),
  languages: names.describe('Codes or names, for rules that ask for the lead’s language.'),
  locations: names.describe('Where the agent works; the places in them count too.'),
  category: optionalName.describe('`A` to `D`, for rules on `agentCategory`.'),
  timeZone: timeZone.describe('Left out: that of the company.'),
  workingHours: workingHours.describe(
    'By the agent’s own clock: days to spans, or `"mon-fri 09:00-18:00"`. Left out: all time.',
  ),
  dailyCap: optionalCap.describe('Leads a day at most. Left out: no limit.'),
  openCap: optionalCap.describe('Leads without a response at most. Left out: no limit.'),
});

const dateOrTime = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, precision: -1 }), z.iso.datetime({ offset: true })],
  'Expected a date such as "2026-12-20" or a time such as "2026-12-20T09:00+04:00"',
);
const period = {
  from: dateOrTime.describe('A date is the whole day; a time carries its offset.'),
  to: dateOrTime.describe('A date counts to its end.'),
};

/** A date and a time are compared by their days: only the agent's zone says when the date begins. */
function isInOrder({ from, to }: Period): boolean {
  const areTimes = from.includes('T') && to.includes('T');
  return areTimes ? Date.parse(from) < Date.parse(to) : from.slice(0, 10) <= to.slice(0, 10);
}

const ORDER = { path: ['to'], message: 'is before "from"' };

export const absenceSchema = z
  .strictObject({
    agent: name,
    ...period,
    note: optionalText.describe('For operators.'),
  })
  .refine(isInOrder, ORDER);

const date = z.iso.date('Expected a date such as "2026-12-20"');

export const datedHoursSchema = z
  .strictObject({
    agent: name,
    from: date.describe('The first day.'),
    to: date.describe('The last day.'),
    workingHours: workingHours.describe('In place of the agent’s usual hours.'),
  })
  .refine(isInOrder, ORDER);

export const holidaySchema = z
  .strictObject({ name: name.describe('What operators read.'), ...period })
  .refine(isInOrder, ORDER);

const memberSchema = z.strictObject({
  agent: name,
  weight: orDefault(z.int().min(1).max(10_000), 1).describe(
    'The agent’s share: 2 gets two leads where 1 gets one.',
  ),
});

export const teamSchema = z.strictObject({
  id: optionalId,
  name: name.describe('What rules call it.'),
  members: listOf(memberSchema).describe('All of them, in the order of their turns.'),
});

export const locationSchema = z.strictObject({
  id: optionalId,
  key: name.transform(lookupKey).describe('Any text that names one place alone.'),
  name: name.describe('What leads call it.'),
  nameAr: optionalName.describe('The Arabic name; leads are matched by it too.'),
  level: name.describe('Such as `emirate`, `community` or `building`.'),
  parent: optionalName.describe('The place that it lies in.'),
  latitude,
  longitude,
  enabled: flag(true).describe(ENABLED),
});

export const developerSchema = z.strictObject({
  id: optionalId,
  slug: name.describe('The word in addresses.'),
  name: name.describe('What leads call it.'),
  description: optionalText.describe('For readers of the website.'),
  logoUrl: optionalName.describe('The address of the logo.'),
  imageUrl: optionalName.describe('The address of a picture.'),
  enabled: flag(true).describe(ENABLED),
  popular: flag(false).describe('Whether the popular developers include it.'),
});

export const projectSchema = z.strictObject({
  id: optionalId,
  slug: name.describe('The word in addresses.'),
  title: optionalName.describe('What leads call it.'),
  developer: optionalName,
  location: name,
  status: name,
  propertyTypes: names,
  campaignType: optionalName.describe('Any text, for filters.'),
  ownershipType: optionalName.describe('Such as `Freehold`.'),
  stockAvailability: optionalName.describe('Such as `Available`.'),
  startingPrice: optionalAmount.describe('An amount such as `"1450000"`.'),
  deliveryDate: optionalDate.describe('Of the hand-over to buyers.'),
  brochure: flag(false).describe('Whether there is one.'),
  paymentPlans: names.describe('Such as `60/40`.'),
  latitude,
  longitude,
  bedrooms: names.describe('Such as `Studio` or `2`.'),
  amenities: names.describe('Such as `Pool`.'),
  description: optionalText.describe('For readers of the website.'),
  images: listOf(
    z.strictObject({
      url: name.describe('The picture’s address.'),
      alt: optionalText.describe('What the picture shows, in words.'),
    }),
  ).describe('Pictures, in order.'),
  published: flag(true).describe('A project that is not published is in no list.'),
});

export const listingSchema = z.strictObject({
  id: optionalId,
  referenceNo: z
    .string()
    .overwrite(withoutInvisible)
    .trim()
    .normalize('NFC')
    .max(128)
    .min(1, 'Must not be empty')
    .describe('The number that portals print. Listings may share one where their ids differ.'),
  purpose: z.enum(['sale', 'rent']).describe('What the owner wants.'),
  market: z.enum(['primary', 'secondary']).describe('From the developer, or from an owner.'),
  price: optionalAmount.describe('An amount such as `"2100000"`.'),
  priceOnApplication: flag(false).describe('The price is not shown.'),
  currency: optionalName.describe('A code of ISO 4217, such as `AED`.'),
  bedrooms: optionalName.describe('Such as `Studio` or `2`.'),
  developer: optionalName,
  location: optionalName,
  propertyType: optionalName,
  agent: optionalName.describe('Whose listing it is.'),
  enabled: flag(true).describe(ENABLED),
});

/** At most a year: a later end may lie beyond what a date can hold. */
const minutes = z.number().max(366 * 24 * 60);

/** A rule as people write it: the stored rule (domain/routing) with names in place of ids. */

const leave = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('next').describe('The next rule decides.') }),
  z.strictObject({
    kind: z.literal('pool').describe('It waits to be claimed.'),
    name: name.describe('Of the pool.'),
  }),
  z.strictObject({ kind: z.literal('unassigned').describe('Nobody gets it.') }),
]);

const onExhausted = z.discriminatedUnion('kind', [
  ...leave.options,
  z.strictObject({
    kind: z.literal('wait').describe('It waits until an agent can take it.'),
    atMostMinutes: minutes
      .positive()
      .describe('How long the lead waits at most. Leads that wait already keep their end.'),
    then: leave.default({ kind: 'next' }).describe('When the minutes are over.'),
  }),
]);

const MINUTES = 'Time to respond. `0`: no clock. Left out: as configured.';

const followUp = ruleSchema.shape.followUp
  .unwrap()
  .omit({ poolId: true })
  .extend({
    minutes: minutes.min(0).nullable().default(null).describe(MINUTES),
    pool: name.nullish().describe('For `onExpiry` `pool`. Left out: the pool of `onExhausted`.'),
  });

export const namedRuleSchema = ruleSchema.extend({
  target: z
    .strictObject({
      kind: z.enum(['agent', 'team', 'pool']).describe('What the name is of.'),
      name: name.describe('Of the team or the pool, or the agent’s e-mail.'),
    })
    .describe('Who gets the leads.'),
  onExhausted: onExhausted
    .default({ kind: 'next' })
    .describe('What becomes of a lead that no agent can take.'),
  followUp: followUp.prefault({}).describe('The clock that runs until the agent responds.'),
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
