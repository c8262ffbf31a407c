import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { hashNumber } from '../domain/dncr/number.ts';
import type { ContactPoint } from '../domain/leads/contact-points.ts';
import {
  hashContactPoint,
  isPhoneOrEmail,
  readContactPoint,
} from '../domain/people/contact-points.ts';
import { SNAPSHOT } from '../store/db/database.ts';
import { erasePerson } from '../store/people/erase-person.ts';
import { readErasures } from '../store/people/erasures.ts';
import {
  countPersonalRows,
  findPerson,
  findPersonIn,
  type Person,
} from '../store/people/find-person.ts';
import { readPerson } from '../store/people/read-person.ts';
import { vacuumPersonalTables } from '../store/people/vacuum.ts';
import { fileError, writeAtomically } from './files.ts';
import { confirm, OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { createProgressBar } from './progress-bar.ts';
import { erasedText, exportedText, planText } from './views/person.ts';

export const personCommands: CommandGroup = (program, run) => {
  const person = program
    .command('person')
    .description('A person’s rights: all that is kept of them, and its erasure.');
  withText(person.command('export'))
    .description('Write all that is kept of a person to a file that only you can read.')
    .argument('<file>', 'where to; JSON')
    .action(run(exportPerson));
  withText(person.command('erase'))
    .description('Erase a person from all their leads, which stay as numbers; then from the rest.')
    .option('--yes', 'without a question', false)
    .action(run(eraseKnown));
};

const withText = (command: Command) =>
  command.argument('<text>', 'a phone in any form, or an e-mail');

const OWNER_ONLY = 0o600;

async function exportPerson(operator: Operator, text: string, file: string) {
  const document = await readDocument(operator, text);
  const json = `${JSON.stringify(document, null, 2)}\n`;
  await writeAtomically(file, async (path) => {
    await writeFile(path, json, { mode: OWNER_ONLY }).catch((error: unknown) => {
      throw fileError(file, 'written', error);
    });
  });
  const { contactPoints, leads } = document;
  operator.show({ file, contactPoints, leads: leads.length }, exportedText);
}

async function readDocument(operator: Operator, text: string) {
  const asked = readContactPoint(text);
  const database = await operator.database();
  const { secretsKey } = operator.config;
  const now = operator.now();
  return database.transaction(async (sql) => {
    const person = await findPersonIn(sql, asked);
    const hashOf = (number: string) => hashNumber(number, secretsKey);
    const record = await readPerson(sql, person, { now, hashOf });
    const erasures = await readErasures(sql, 'person', hashesOf(operator, person));
    const isKept = Object.keys(await countPersonalRows(sql, person, now)).length > 0;
    if (!isKept && erasures.length === 0) assertPhoneOrEmail(text);
    return { exportedAt: now, askedFor: asked, ...record, erasures };
  }, SNAPSHOT);
}

/** Only where nothing is kept under the text: what was sent as a phone or an e-mail is one, however it looks. */
function assertPhoneOrEmail(text: string): void {
  if (isPhoneOrEmail(text)) return;
  throw new OperatorError(
    'This is neither a phone nor an e-mail: leadctl lead find ID --personal shows those of a lead.',
  );
}

const hashesOf = ({ config }: Operator, { contactPoints }: Person) =>
  contactPoints.map((point) => hashContactPoint(point, config.secretsKey));

/** Run again it goes on with what an interrupted run left, under the same proof. */
async function eraseKnown(operator: Operator, text: string, options: { yes: boolean }) {
  const database = await operator.database();
  const asked = readContactPoint(text);
  const person = await findPerson(database, asked);
  const rows = await countPersonalRows(database, person, operator.now());
  const hashes = hashesOf(operator, person);
  const before = await readErasures(database, 'person', hashes);
  const { contactPoints } = person;
  const isInterrupted = before.some(({ finishedAt }) => finishedAt === null);
  if (Object.keys(rows).length === 0 && !isInterrupted) {
    if (before.length === 0) assertPhoneOrEmail(text);
    const view = { contactPoints, rows, erasure: null, before, isVacuumed: null };
    operator.show(view, erasedText);
    return;
  }
  await confirm(operator, planText({ person, rows, isInterrupted }), options);
  const erasure = await eraseWithProgress(operator, person, { asked, hashes });
  const isVacuumed = await vacuumPersonalTables(operator.ownerDatabaseUrl).catch(() => false);
  operator.show({ contactPoints, rows, erasure, before, isVacuumed }, erasedText);
}

async function eraseWithProgress(
  operator: Operator,
  person: Person,
  terms: { asked: ContactPoint; hashes: Buffer[] },
) {
  const progress = createProgressBar(operator.isJson);
  const of = person.leads.length;
  try {
    return await erasePerson(await operator.database(), person, {
      ...terms,
      ...{ id: randomUUID(), author: operator.author, now: operator.now() },
      onErased: (leads) => progress.onProgress('leads', leads, of),
    });
  } finally {
    progress.stop();
  }
}
