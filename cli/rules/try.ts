import { randomUUID } from 'node:crypto';
import { checkDataset } from '../../domain/catalogue/dataset/check-dataset.ts';
import type { DatasetEvent } from '../../domain/catalogue/dataset/sections.ts';
import { formatIssue } from '../../domain/validation-issues.ts';
import {
  createDatasetParser,
  type ParsedDataset,
} from '../../domain/catalogue/dataset/parse-dataset.ts';
import { routingDefaults } from '../../domain/routing/follow-up.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { SNAPSHOT, type Database } from '../../store/db/database.ts';
import {
  completeRecords,
  createStoredSections,
} from '../../store/catalogue/dataset/complete-records.ts';
import { readKnownRecords } from '../../store/catalogue/dataset/read-known-records.ts';
import type { Since } from '../arguments.ts';
import { readDatasetFile } from '../dataset/read-file.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { tryText } from '../views/rules-try.ts';
import { replayPast } from './replay-past.ts';

/** What would have changed if these rules had been active. */
export async function tryRules(
  operator: Operator,
  file: string,
  options: { since: Since; sample: number },
) {
  const database = await operator.database();
  // Its other sections do not count: a replay needs agents with a past.
  const { rules } = await readRules(operator, file, (section) => section === 'rules');
  const since = options.since(operator.now(), operator.config.companyTimeZone);
  const defaults = routingDefaults(operator.config);
  const sampleSize = options.sample;
  const replay = await replayPast(database, { rules }, { since, defaults, sampleSize });
  const names = await readRecordNames(database, replay);
  const view = { file, since, rules: rules.length, ...replay };
  operator.show({ ...view, names: Object.fromEntries(names) }, (shown) =>
    tryText(shown, new Map(Object.entries(shown.names))),
  );
}

/** The file's `rules`, checked as by an import together with the sections that count. */
export async function readRules(operator: Operator, file: string, counts: Counts) {
  const database = await operator.database();
  const parsed = await parseSections(database, file, counts);
  if (!parsed.dataset.rules && parsed.issues.length === 0)
    throw new OperatorError(`${file} has no section rules.`);
  const known = await readKnownRecords(database, operator.config.companyName);
  const checked = checkDataset(parsed, known, randomUUID);
  if (checked.kind === 'valid') return { ...checked, rules: checked.rules ?? [], known };
  const summary = `Nothing was tried: ${count(checked.issues.length, 'error')}.`;
  throw new OperatorError([...checked.issues.map(formatIssue), summary]);
}

type Counts = (section: string) => boolean;

async function parseSections(
  database: Database,
  file: string,
  counts: Counts,
): Promise<ParsedDataset> {
  return database.transaction(async (sql) => {
    const parser = createDatasetParser();
    const events = completeRecords(readSections(file, counts), createStoredSections(sql));
    for await (const event of events) {
      const valid = parser.read(event);
      if (valid) parser.keep(valid);
    }
    return parser.parsed();
  }, SNAPSHOT);
}

async function* readSections(file: string, counts: Counts): AsyncGenerator<DatasetEvent> {
  for await (const event of readDatasetFile(file)) {
    if (
      event.kind === 'no dataset' ||
      counts(event.kind === 'section' ? event.name : event.section)
    )
      yield event;
  }
}
