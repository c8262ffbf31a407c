import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { hashNumber } from '../domain/dncr/number.ts';
import { hashIdentity, type Identity } from '../domain/people/person-points.ts';
import { sentName } from '../domain/people/sent-name.ts';
import { SNAPSHOT, type Sql } from '../store/db/database.ts';
import { vacuumAsOwner } from '../store/db/roles.ts';
import { erasePerson, ERASED_TABLES, readErasures } from '../store/people/erasures.ts';
import {
  findPerson,
  findReferences,
  ownerParameters,
  readContacts,
  readWholePerson,
  type Person,
} from '../store/people/read-person.ts';
import { readPersonalRows, type PersonalRows } from '../store/people/personal-columns.ts';
import { readKey } from './lead/find.ts';
import {
  contactsText,
  erasedText,
  exportedText,
  peopleText,
  plannedText,
  planText,
  sharedText,
  type FoundView,
} from './views/person.ts';
import { confirm, withConsent, type Consent } from './confirm.ts';
import { writeTextFile } from './files.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';

export const personCommands: CommandGroup = (program, run) => {
  const person = program.command('person').description('Find, export, or erase a customer’s data');
  withText(person.command('find'))
    .description('List the contact of a customer')
    .option('--personal', 'Include names, phones and emails', false)
    .action(run(showPeople));
  withText(person.command('export'))
    .description('Export a customer’s data to a file that only you can read')
    .argument('<file>', 'the JSON file to write')
    .action(run(exportPerson));
  withConsent(withText(person.command('erase')))
    .description('Erase a customer’s personal data')
    .action(run(eraseKnown));
};

const withText = (command: Command) =>
  command.argument('<text>', 'a phone in any form, an email, or the id of a contact or a lead');

async function showPeople(operator: Operator, text: string, options: { personal: boolean }) {
  const database = await operator.database();
  const { person, contacts } = await database.transaction(async (sql) => {
    const person = await findOne(sql, text);
    return { person, contacts: await readContacts(sql, person) };
  }, SNAPSHOT);
  const note = sharedText(person.sharedLeadIds) || null;
  if (options.personal) return operator.show(contacts, peopleText, note);
  const ids = contacts.map(({ names: _names, phones: _phones, emails: _emails, ...ids }) => ids);
  return operator.show(ids, contactsText, note);
}

/** Refuses an unreadable text, so that the result is not taken for an unknown customer. */
async function findOne(sql: Sql, text: string): Promise<Person> {
  const { contactPoints, ids } = await readKey(text);
  if (contactPoints.length > 0) return findPerson(sql, { contactPoints, ids: null });
  if (ids === null) throw new OperatorError(UNREADABLE);
  const person = await findPerson(sql, { contactPoints, ids });
  if (person.contactIds.length === 1) return person;
  throw new OperatorError(
    person.contactIds.length === 0
      ? 'No contact and no lead has this id.'
      : 'Several contacts have an id that begins so: give the whole id.',
  );
}

const UNREADABLE = [
  'This is not a phone that can be read in one way, an email, or the id of a contact or a lead.',
  "Write the phone with its country code, or run 'leadctl lead find TEXT' to search by name.",
];

/** Refuses another SECRETS_KEY, whose hashes would find no check and no erasure. */
async function lookUp(operator: Operator, sql: Sql, text: string) {
  const { checkSecretsKey } = await import('../store/webhooks/endpoints.ts');
  await checkSecretsKey(sql, operator.config.secretsKey);
  const person = await findOne(sql, text);
  const contacts = person.contactIds.map((value) => ({ kind: 'contact', value }) as const);
  const hashes = hasherOf(operator)([...person.contactPoints, ...contacts]);
  const rows = await readPersonalRows(sql, ownerParameters(person, operator.now()));
  const { contactPoints, leadIds, sharedLeadIds } = person;
  const leadsOfOthers = { count: sharedLeadIds.length, leadIds: sharedLeadIds };
  const asked = { text, contactPoints, names: namesOf(rows), leadIds, leadsOfOthers };
  const view: FoundView = { ...asked, references: await findReferences(sql, person) };
  return { person, hashes, rows, view, erasures: await readErasures(sql, 'person', hashes) };
}

const hasherOf =
  ({ config }: Operator) =>
  (identities: readonly Identity[]) =>
    identities.map((identity) => hashIdentity(identity, config.secretsKey));

/** All names that requests sent: a merged enquiry may be of another person with the same phone. */
const namesOf = ({ submissions = [] }: PersonalRows) => [
  ...new Set(submissions.flatMap(({ body }) => sentName(body) ?? [])),
];

const OWNER_ONLY = 0o600;

async function exportPerson(operator: Operator, text: string, file: string) {
  const database = await operator.database();
  const hashOf = (number: string) => hashNumber(number, operator.config.secretsKey);
  const { found, record } = await database.transaction(async (sql) => {
    const found = await lookUp(operator, sql, text);
    return { found, record: await readWholePerson(sql, found.person, found.rows, hashOf) };
  }, SNAPSHOT);
  const { view, erasures } = found;
  const asked = { exportedAt: operator.now(), askedFor: text, names: view.names };
  const document = { ...asked, ...record, leadsOfOthers: view.leadsOfOthers.leadIds, erasures };
  await writeTextFile(file, `${JSON.stringify(document, null, 2)}\n`, OWNER_ONLY);
  operator.show({ file, ...view, leads: view.leadIds.length }, exportedText);
}

async function eraseKnown(operator: Operator, text: string, options: Consent) {
  const database = await operator.database();
  const found = await database.transaction((sql) => lookUp(operator, sql, text), SNAPSHOT);
  const { person, hashes, rows, erasures: before } = found;
  const isInterrupted = before.some(({ finishedAt }) => finishedAt === null);
  const view = { ...found.view, rows: countRows(rows), before, isInterrupted };
  const stored = [...Object.keys(view.rows), ...person.leadIds, ...person.sharedLeadIds];
  const isNothing = stored.length === 0 && !isInterrupted;
  if (isNothing || options.dryRun) {
    const undone = { dryRun: options.dryRun, ...view, erasure: null, isVacuumed: null };
    return operator.show(undone, isNothing ? erasedText : plannedText);
  }
  await confirm(operator, planText(view), options);
  const { author, now } = operator;
  const terms = { id: randomUUID(), author, now: now(), hashes, hashesOf: hasherOf(operator) };
  const erasure = await erasePerson(database, person, terms);
  const isVacuumed = await vacuumAsOwner(operator.ownerDatabaseUrl, ERASED_TABLES).catch(
    () => false,
  );
  operator.show({ ...view, erasure, isVacuumed }, erasedText);
}

function countRows(rows: PersonalRows): Record<string, number> {
  const stored = Object.entries(rows).filter(([, { length }]) => length > 0);
  return Object.fromEntries(stored.map(([table, { length }]) => [table, length]));
}
