import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { hashNumber } from '../domain/dncr/number.ts';
import {
  normalizeContactText,
  readContactPoints,
  type ContactPoint,
} from '../domain/leads/contact-points.ts';
import { hashContactPoint, holdsText, isPhoneOrEmail } from '../domain/people/person-search.ts';
import { SNAPSHOT, type Sql } from '../store/db/database.ts';
import {
  erasePerson,
  findLeftovers,
  freedPoints,
  isErasedLead,
  readErasures,
  vacuumPersonalTables,
  type ErasurePlan,
} from '../store/people/erasures.ts';
import {
  countPersonalRows,
  findNamedContacts,
  findNearTexts,
  findPersonIn,
  findReferences,
  readContacts,
  readPointsOf,
  type Person,
} from '../store/people/find-person.ts';
import { applyScope } from '../store/people/person-scope.ts';
import { readNameWords } from './lead/find.ts';
import {
  contactsText,
  erasedText,
  exportedText,
  foundView,
  peopleText,
  plannedText,
  planLines,
} from './views/person.ts';
import { atLeastOne, collected } from './arguments.ts';
import { confirm, withConsent, type Consent } from './confirm.ts';
import { writeTextFile } from './files.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { createProgressBar } from './progress-bar.ts';

export const personCommands: CommandGroup = (program, run) => {
  const person = program
    .command('person')
    .description('A person’s rights: all that is kept of them, and its erasure.');
  person
    .command('find')
    .description('The people whom a name, a phone or an e-mail names, with their number of leads.')
    .argument('<text>', 'a name or its beginning, a phone in any form, or an e-mail')
    .option('--personal', 'with their names, phones and e-mails', false)
    .action(run(showPeople));
  withScope(person.command('export'))
    .description('Write all that is kept of a person to a file that only you can read.')
    .argument('<file>', 'where to; JSON')
    .action(run(exportPerson));
  withConsent(withScope(person.command('erase')))
    .description('Erase a person from all their leads, which stay as numbers; then from the rest.')
    .action(run(eraseKnown));
};

async function showPeople(operator: Operator, text: string, options: { personal: boolean }) {
  const database = await operator.database();
  const people = await database.transaction(async (sql) => {
    const points = readContactPoints(text);
    const { contactIds } = await findPersonIn(sql, points);
    const ids = points.length > 0 ? contactIds : await findNamedContacts(sql, readNameWords(text));
    return readContacts(sql, ids, options);
  }, SNAPSHOT);
  operator.show(people, options.personal ? peopleText : contactsText);
}

/** A name stands for the phones and e-mails of the person who has it, where it is one person's. */
async function readPoints(sql: Sql, text: string): Promise<ContactPoint[]> {
  const points = readContactPoints(text);
  if (points.length > 0) return points;
  const words = readNameWords(text);
  const [contactId, ...others] = await findNamedContacts(sql, words, { isWhole: true });
  if (contactId === undefined) {
    const partly = await findNamedContacts(sql, words);
    if (partly.length === 0) return [];
    throw new OperatorError(
      'This is only part of a name: leadctl person find NAME --personal shows the whole names, phones and e-mails; say one of these.',
    );
  }
  if (others.length === 0) return readPointsOf(sql, contactId);
  throw new OperatorError(
    `${others.length + 1} people have this name: leadctl person find NAME --personal shows their phones and e-mails; say one of these.`,
  );
}

type ScopeOptions = { shared: boolean; lead: string[]; limit: number };

const NEAR_LIMIT = 10;

const withScope = (command: Command) =>
  command
    .argument('<text>', 'a phone in any form, an e-mail, or a whole name that one person alone has')
    .option('--shared', 'also leads of other contacts that name the same phone or e-mail', false)
    .option('--lead <id>', 'this lead only; may be given several times', collected, [])
    .option('--limit <texts>', 'how many similar texts to show', atLeastOne, NEAR_LIMIT);

const OWNER_ONLY = 0o600;

async function exportPerson(operator: Operator, text: string, file: string, options: ScopeOptions) {
  const database = await operator.database();
  const { readPerson } = await import('../store/people/read-person.ts');
  const hashOf = (number: string) => hashNumber(number, operator.config.secretsKey);
  const { found, document } = await database.transaction(async (sql) => {
    const found = await lookUp(operator, sql, text, options);
    const { text: askedFor, contactPoints, names, before: erasures } = found;
    const now = operator.now();
    const record = await readPerson(sql, found, contactPoints, { now, hashOf });
    return { found, document: { exportedAt: now, askedFor, names, ...record, erasures } };
  }, SNAPSHOT);
  await writeTextFile(file, `${JSON.stringify(document, null, 2)}\n`, OWNER_ONLY);
  const view = { file, ...foundView(found, options.limit), leads: found.person.leads.length };
  operator.show(view, exportedText);
}

/**
 * What is kept under a text, and what of it the command takes; refuses a text that can be no phone or e-mail, and a
 * SECRETS_KEY by whose hashes no check and no earlier erasure would be found.
 */
async function lookUp(operator: Operator, sql: Sql, text: string, options: ScopeOptions) {
  const scope = { shared: options.shared, leads: options.lead };
  const { checkSecretsKey } = await import('../store/webhooks/endpoints.ts');
  await checkSecretsKey(sql, operator.config.secretsKey);
  const points = await readPoints(sql, text);
  const all = await findPersonIn(sql, points);
  const similar = await findSimilarTexts(sql, all, points, text);
  const scoped = await applyScope(sql, all, similar, scope);
  await assertKnown(sql, scoped.unknown);
  const { person, ofOthers } = scoped;
  const isTaken = new Set(person.leads.map(({ id }) => id));
  const near = similar.filter(({ leadId }) => !isTaken.has(leadId));
  const freed = { ...person, contactPoints: await freedPoints(sql, { person, scope }) };
  const rows = await countPersonalRows(sql, freed, operator.now());
  const asked = points.length > 0 ? all.contactPoints : [textPoint(text)];
  const before = await readErasures(sql, 'person', hashesOf(operator)(asked));
  const isKept = Object.keys(rows).length + ofOthers.length > 0;
  if (!isKept && before.length + near.length === 0) assertPhoneOrEmail(text, points);
  const { readSentNames } = await import('../store/people/read-person.ts');
  const names = await readSentNames(sql, [...isTaken]);
  const { contactPoints } = all;
  const kept = { near, references: await findReferences(sql, contactPoints) };
  return { ...scoped, ...kept, text, asked, contactPoints, scope, rows, before, isKept, names };
}

/**
 * Beside leads that name the person, only texts that hold one of their phones or e-mails and more: a number that
 * differs by a digit is somebody else's then.
 */
async function findSimilarTexts(
  sql: Sql,
  { leads, contactPoints }: Person,
  asked: readonly ContactPoint[],
  text: string,
) {
  if (leads.length === 0) return findNearTexts(sql, asked, text);
  const isFound = new Set(leads.map(({ id }) => id));
  const texts = await findNearTexts(sql, contactPoints, text);
  return texts.filter(
    (sent) =>
      !isFound.has(sent.leadId) && contactPoints.some((point) => holdsText(sent.text, point)),
  );
}

/** What a proof is found by where a text names no phone and no e-mail. */
const textPoint = (text: string): ContactPoint => ({
  kind: 'phone',
  value: normalizeContactText(text),
});

async function assertKnown(sql: Sql, leads: readonly string[]): Promise<void> {
  for (const lead of leads) {
    if (!(await isErasedLead(sql, lead)))
      throw new OperatorError(`Lead ${lead} does not name this phone or e-mail, nor one near it.`);
  }
}

function assertPhoneOrEmail(text: string, asked: readonly ContactPoint[]): void {
  if (asked.length > 0 || isPhoneOrEmail(text)) return;
  throw new OperatorError(
    'This is neither a phone nor an e-mail, nor the whole name of a person with leads: leadctl lead find ID --personal shows those of a lead.',
  );
}

const hashesOf =
  ({ config }: Operator) =>
  (contactPoints: readonly ContactPoint[]) =>
    contactPoints.map((point) => hashContactPoint(point, config.secretsKey));

/** Run again it goes on with what an interrupted run left, under the same proof. */
async function eraseKnown(operator: Operator, text: string, options: ScopeOptions & Consent) {
  const database = await operator.database();
  const now = operator.now();
  const found = await database.transaction(async (sql) => {
    const found = await lookUp(operator, sql, text, options);
    const leftovers = await findLeftovers(sql, found.before, now);
    return { ...found, rows: addRows(found.rows, leftovers.rows), leftovers: leftovers.leadIds };
  }, SNAPSHOT);
  const { rows, before, leftovers } = found;
  const isInterrupted = before.some(({ finishedAt }) => finishedAt === null);
  const view = { ...foundView(found, options.limit), rows, before, isInterrupted };
  const isNothing = !found.isKept && !isInterrupted && leftovers.length === 0;
  if (isNothing || options.dryRun) {
    const undone = { dryRun: options.dryRun, ...view, erasure: null, isVacuumed: null };
    return operator.show(undone, isNothing ? erasedText : plannedText);
  }
  await confirm(operator, planLines(view), options);
  const erasure = await eraseWithProgress(operator, found);
  const isVacuumed = await vacuumPersonalTables(operator.ownerDatabaseUrl).catch(() => false);
  operator.show({ ...view, erasure, isVacuumed }, erasedText);
}

function addRows(rows: Record<string, number>, more: Record<string, number>) {
  const tables = new Set([...Object.keys(rows), ...Object.keys(more)]);
  return Object.fromEntries(
    [...tables].map((table) => [table, (rows[table] ?? 0) + (more[table] ?? 0)]),
  );
}

async function eraseWithProgress(
  operator: Operator,
  { asked, ...plan }: ErasurePlan & { asked: readonly ContactPoint[] },
) {
  const progress = createProgressBar(operator.isJson);
  const of = plan.person.leads.length;
  try {
    return await erasePerson(await operator.database(), plan, {
      asked,
      hashesOf: hashesOf(operator),
      id: randomUUID(),
      author: operator.author,
      now: operator.now(),
      onErased: (leads) => progress.onProgress('leads', leads, of),
    });
  } finally {
    progress.stop();
  }
}
