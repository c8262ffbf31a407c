import * as z from 'zod';
import type { Period } from '../../routing/calendar.ts';
import { isTimeZone } from '../../routing/local-time.ts';
import { ruleSchema } from '../../routing/rules.ts';
import { parseHours, simplifyHours, workingHoursIssues } from '../../routing/working-hours.ts';
import { plainText, withoutInvisible } from '../../written-text.ts';
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
  .transform(simplifyHours)
  .superRefine((hours, context) => {
    for (const message of workingHoursIssues(hours)) context.addIssue({ code: 'custom', message });
  });

/** A string is as in `leadctl agent hours`. */
const workingHours = orDefault(
  z
    .preprocess((given) => (typeof given === 'string' ? parseHours(given) : given), hoursByDay)
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
  email: email.describe('The agent’s address; stored in lower case.'),
  name: name.describe('Shown in responses and events.'),
  slug: optionalName.describe('The agent’s name in addresses. By default made from the name.'),
  phone: agentPhone.describe('Shown to readers of the assignment.'),
  whatsappPhone: agentPhone.describe('The same, for WhatsApp.'),
  active: flag(true).describe('An agent who is not active gets no lead.'),
  languages: names.describe('Codes or names, for rules that ask for the lead’s language.'),
  locations: names.describe('Places where the agent works, with the places within them.'),
  category: optionalName.describe('`A` to `D`, for rules on `agentCategory`.'),
  timeZone: timeZone.describe('By default that of the company.'),
  workingHours: workingHours.describe(
    'In the agent’s time zone: days to spans, or `"mon-fri 09:00-18:00"`. By default at all times.',
  ),
  dailyCap: optionalCap.describe('The most leads per day. By default no limit.'),
  openCap: optionalCap.describe('The most leads without a response. By default no limit.'),
});

const dateOrTime = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, precision: -1 }), z.iso.datetime({ offset: true })],
  'Expected a date such as "2026-12-20" or a time such as "2026-12-20T09:00+04:00"',
);
const period = {
  from: dateOrTime.describe('A date is the whole day; a time has its offset.'),
  to: dateOrTime.describe('A date includes the whole day.'),
};

/** Only the agent's zone says when a date begins, so it is compared with a time by the day. */
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
    workingHours: workingHours.describe('Replace the agent’s usual hours.'),
  })
  .refine(isInOrder, ORDER);

export const holidaySchema = z
  .strictObject({ name: name.describe('The name that operators see.'), ...period })
  .refine(isInOrder, ORDER);

const memberSchema = z.strictObject({
  agent: name,
  weight: orDefault(z.int().min(1).max(10_000), 1).describe(
    'The agent’s share: 2 gets two leads where 1 gets one.',
  ),
});

export const teamSchema = z.strictObject({
  id: optionalId,
  name: name.describe('The name in rules.'),
  members: listOf(memberSchema).describe('The whole list, in the order of their turns.'),
});

export const locationSchema = z.strictObject({
  id: optionalId,
  key: name.transform(lookupKey).describe('Any text that is unique among places.'),
  name: name.describe('What leads call it.'),
  nameAr: optionalName.describe('The Arabic name, which leads may also use.'),
  level: name.describe('Such as `emirate`, `community` or `building`.'),
  parent: optionalName.describe('The place that contains it.'),
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
  deliveryDate: optionalDate.describe('The date of the hand-over to buyers.'),
  brochure: flag(false).describe('Whether there is a brochure.'),
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
  published: flag(true).describe('A project that is not published appears in no list.'),
});

export const listingSchema = z.strictObject({
  id: optionalId,
  referenceNo: z
    .string()
    .overwrite(plainText)
    .max(128)
    .min(1, 'Must not be empty')
    .describe('The number that portals print. Listings with different ids may share it.'),
  purpose: z.enum(['sale', 'rent']).describe('Whether the property is for sale or for rent.'),
  market: z
    .enum(['primary', 'secondary'])
    .describe('Primary: from the developer. Secondary: from an owner.'),
  price: optionalAmount.describe('An amount such as `"2100000"`.'),
  priceOnApplication: flag(false).describe('The price is not shown.'),
  currency: optionalName.describe('A code of ISO 4217, such as `AED`.'),
  bedrooms: optionalName.describe('Such as `Studio` or `2`.'),
  developer: optionalName,
  location: optionalName,
  propertyType: optionalName,
  agent: optionalName.describe('The agent who has the listing.'),
  enabled: flag(true).describe(ENABLED),
});

/** At most a year: a later end may lie beyond what a date can hold. */
const minutes = z.number().max(366 * 24 * 60);

const leave = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('next').describe('The next rule decides.') }),
  z.strictObject({
    kind: z.literal('pool').describe('The lead waits in a pool for a claim.'),
    name: name.describe('The pool’s name.'),
  }),
  z.strictObject({ kind: z.literal('unassigned').describe('Nobody gets the lead.') }),
]);

const onExhausted = z.discriminatedUnion('kind', [
  ...leave.options,
  z.strictObject({
    kind: z
      .literal('wait')
      .describe(
        'The lead waits for the first agent of the rule who can take it: working hours, absences, pauses and caps may keep ' +
          'agents from it. If none of them could take it in time, `then` applies at once.',
      ),
    atMostMinutes: minutes
      .positive()
      .describe('The longest time that the lead waits. Leads that already wait keep their end.'),
    then: leave.default({ kind: 'next' }).describe('The outcome after these minutes.'),
  }),
]);

const MINUTES = 'Time to respond. `0`: no clock. Left out: as configured.';

const followUp = ruleSchema.shape.followUp
  .unwrap()
  .omit({ poolId: true })
  .extend({
    minutes: minutes.min(0).nullable().default(null).describe(MINUTES),
    pool: name.nullish().describe('For `onExpiry` `pool`. By default the pool of `onExhausted`.'),
  });

export const namedRuleSchema = ruleSchema.extend({
  target: z
    .strictObject({
      kind: z.enum(['agent', 'team', 'pool']).describe('The kind of record that `name` names.'),
      name: name.describe('The name of the team or pool, or the agent’s e-mail.'),
    })
    .describe('Who gets the leads.'),
  onExhausted: onExhausted
    .default({ kind: 'next' })
    .describe('The outcome for a lead that no agent can take.'),
  followUp: followUp.prefault({}).describe('The clock that runs until the agent responds.'),
});

/** Null is treated as omitted, but not within a list, such as the bounds of a budget. */
export const ruleRecordSchema = z.preprocess(withoutNulls, namedRuleSchema);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given.map(([key, each]) => [key, withoutNulls(each)]));
}

export type NamedRule = z.output<typeof namedRuleSchema>;
