import * as z from 'zod';
import { normaliseEmail, normalisePhone } from '../../leads/contact-points.ts';
import { fieldByName } from '../../leads/fields.ts';
import { flag, name, names, optionalId, optionalName } from './values.ts';

/** The records that are little more than a name, and those of intake hygiene. */

const named = { id: optionalId, name, enabled: flag(true) };

export const namedSchema = z.strictObject(named);

export const projectStatusSchema = z.strictObject({ ...named, color: optionalName });

export const sourceSchema = z.strictObject({ ...named, portal: flag(false), subSources: names });

export const leadTypeSchema = z.strictObject({ ...named, aliases: names });

export const websiteSchema = z.strictObject({
  ...named,
  domain: name.transform((domain) => domain.toLowerCase()),
  name: optionalName,
});

export const languageSchema = z.strictObject({
  ...named,
  code: name.transform((code) => code.toLowerCase()),
  aliases: names,
});

/** Without `stages` the funnel keeps those it has. */
export const funnelSchema = z.strictObject({
  id: optionalId,
  key: name.transform((key) => key.toLowerCase()),
  name,
  stages: z.array(name).min(1).nullish(),
});

/** A quiz fills any field but phones and e-mails, which are the sender's to give. */
function isFillable(fieldName: string): boolean {
  const field = fieldByName.get(fieldName);
  return fieldName === 'budget' || (field !== undefined && field.match !== 'contactPoint');
}

export const quizFieldSchema = z.strictObject({
  quizKey: name,
  questionKey: name,
  field: name.refine(isFillable, 'Not a field of the lead that a quiz can fill'),
});

export const knownAgentSchema = z
  .strictObject({
    email: name.nullish().transform((email) => (email ? normaliseEmail(email) : null)),
    phone: name.nullish().transform((phone) => (phone ? normalisePhone(phone) : null)),
  })
  .refine(({ email, phone }) => email !== null || phone !== null, 'Needs an e-mail or a phone')
  .transform(({ email, phone }) => [email, phone].filter((contactPoint) => contactPoint !== null));

export const competitorDomainSchema = name.transform((domain) =>
  domain.replace(/^@/, '').toLowerCase(),
);
