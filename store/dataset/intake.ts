import * as z from 'zod';
import {
  normalizeContactText,
  readContactPoints,
  type ContactPoint,
} from '../../domain/leads/contact-points.ts';
import { normalizeDomain } from '../../domain/leads/email-addresses.ts';
import { fieldByName } from '../../domain/leads/fields.ts';
import type { WrittenTable } from '../db/rows.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { readAll, section, toRow, writeRows } from './section.ts';
import { name, orDefault } from './values.ts';

/** A quiz fills no phones and emails, which the sender gives. */
function isFillable(fieldName: string): boolean {
  const field = fieldByName.get(fieldName);
  return fieldName === 'budget' || (field !== undefined && field.match !== 'contactPoint');
}

const domain = name
  .transform((text) => {
    const typed = normalizeContactText(text).replace(/^@?(?:www\.)?|\.$/g, '');
    return normalizeDomain(typed);
  })
  .pipe(z.string('Expected a domain such as "rival.example"'));

function contactPoints(wanted: ContactPoint['kind'], message: string) {
  const readable = name
    .transform(readContactPoints)
    .refine((points) => points.some(({ kind }) => kind === wanted), message);
  return orDefault(readable, []);
}

const knownAgentSchema = z
  .strictObject({
    email: contactPoints('email', 'Expected an e-mail address').describe(
      'Required without a phone.',
    ),
    phone: contactPoints('phone', 'Expected a phone number').describe(
      'Required without an e-mail.',
    ),
  })
  .transform(({ email, phone }) => [...email, ...phone])
  .refine((points) => points.length > 0, 'Needs an e-mail or a phone');

const quizFieldTable: WrittenTable = { name: 'quiz_fields', key: ['quiz_key', 'question_key'] };

export const quizFields = section({
  name: 'quizFields',
  about: 'Fields of a lead that answers to a quiz fill.',
  key: ['quizKey', 'questionKey'],
  schema: z.strictObject({
    quizKey: name.describe('The key of the quiz, as leads send it.'),
    questionKey: name.describe('The key of the question, as leads send it.'),
    field: name
      .refine(isFillable, 'Not a field of the lead that a quiz can fill')
      .describe(
        'A field of a lead, or `budget`: a range fills both bounds, one number `budgetMax`.',
      ),
  }),
  read: readAll('quizFields')`
    select quiz_key as "quizKey", question_key as "questionKey", field
    from quiz_fields order by quiz_key, question_key`,
  write: (context, records) => writeRows(context, quizFieldTable, records.map(toRow)),
});

const knownAgentTable: WrittenTable = { name: 'known_agents', key: ['kind', 'value'] };

export const knownAgents = section({
  name: 'knownAgents',
  about: 'Agents of other companies. Their enquiries are flagged `isAgentEnquiry`.',
  key: [],
  schema: knownAgentSchema,
  read: readAll('knownAgents')`
    select (case kind when 'email' then value end) as email,
      (case kind when 'phone' then value end) as phone
    from known_agents order by kind, value`,
  write(context, records) {
    const rows = records.flat().map(({ kind, value }) => ({ kind, value }));
    return writeRows(context, knownAgentTable, rows);
  },
});

const competitorDomainTable: WrittenTable = { name: 'competitor_domains', key: ['domain'] };

export const competitorDomains = section({
  name: 'competitorDomains',
  about: 'Domains of other companies. Enquiries from their e-mails are flagged `isAgentEnquiry`.',
  key: [],
  schema: domain,
  read: async (sql) => (await sql.all(READ_DOMAINS, {})).map((row) => row.domain),
  write(context, records) {
    const rows = records.map((domain) => ({ domain }));
    return writeRows(context, competitorDomainTable, rows);
  },
});

const READ_DOMAINS = statement<NoParams, { domain: string }>('competitor_domain_records')`
select domain from competitor_domains order by domain`;
