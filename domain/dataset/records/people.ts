import * as z from 'zod';
import { emailHandle } from '../../lead/handles.ts';
import { workingHoursFault } from '../../routing/working-hours.ts';
import { flag, name, names, optionalCap, optionalId, optionalName } from '../values.ts';

const DEFAULT_TIME_ZONE = 'Asia/Dubai';

const email = name
  .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'Expected an e-mail address')
  .transform((value) => emailHandle(value).value);

const workingHours = z
  .record(z.string(), z.string())
  .nullish()
  .transform((hours) => hours ?? {});

export const agentSchema = z
  .strictObject({
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
    timeZone: optionalName.transform((zone) => zone ?? DEFAULT_TIME_ZONE),
    workingHours,
    dailyCap: optionalCap,
    openCap: optionalCap,
  })
  .superRefine((agent, context) => {
    const fault = workingHoursFault(agent.workingHours, agent.timeZone);
    if (fault) context.addIssue({ code: 'custom', path: ['workingHours'], message: fault });
  })
  .transform((agent) => ({ ...agent, slug: agent.slug ?? slugOf(agent.name) }));

/** "Sara H." is `sara-h`. */
function slugOf(agentName: string): string {
  const words = agentName
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join('-') ?? agentName;
}

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
