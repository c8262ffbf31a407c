import * as z from 'zod';
import { normaliseEmail } from '../../../leads/contact-points.ts';
import { isTimeZone } from '../../../routing/local-time.ts';
import { workingHoursFaults } from '../../../routing/working-hours.ts';
import { flag, name, names, optionalCap, optionalId, optionalName } from '../values.ts';

const DEFAULT_TIME_ZONE = 'Asia/Dubai';

const email = name
  .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'Expected an e-mail address')
  .transform((value) => normaliseEmail(value).value);

const workingHours = z
  .record(z.string(), z.string())
  .superRefine((hours, context) => {
    for (const message of workingHoursFaults(hours)) context.addIssue({ code: 'custom', message });
  })
  .nullish()
  .transform((hours) => hours ?? {});

const timeZone = optionalName
  .transform((zone) => zone ?? DEFAULT_TIME_ZONE)
  .refine(isTimeZone, 'Expected a time zone such as "Asia/Dubai"');

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

const memberSchema = z.strictObject({
  agent: name,
  weight: z
    .int()
    .min(1)
    .nullish()
    .transform((weight) => weight ?? 1),
});

export const teamSchema = z.strictObject({
  id: optionalId,
  name,
  members: z
    .array(memberSchema)
    .nullish()
    .transform((members) => members ?? []),
});
