import * as z from 'zod';
import { normaliseEmail, normalisePhone } from '../../../leads/contact-points.ts';
import { fieldByName } from '../../../leads/fields.ts';
import { name } from '../values.ts';

/** What intake knows of quizzes and of competing agents. */

/** A phone or an e-mail comes from the sender, never from an answer. */
function isFillable(name: string): boolean {
  const field = fieldByName.get(name);
  return name === 'budget' || (field !== undefined && field.match !== 'contactPoint');
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
