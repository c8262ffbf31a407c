import type { History } from '@temporalio/common/lib/proto-utils.js';
import { parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/max';
import { isUuid } from '../../domain/uuid.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import {
  createCustomerNameReader,
  readRecordNamesInHistories,
} from '../../store/leads/lead-overview.ts';
import { readAgentNames } from '../../store/routing/agents.ts';
import { leadIdOf } from '../../workflows/contracts/lead-lifecycle.ts';
import {
  cleanHistory,
  decodePayload,
  escapeRegExp,
  isPayload,
  type HistoryJson,
} from './clean-history.ts';

/**
 * Decides what of a run's history may be written to a file: cleans it, and finds what is personal all the same.
 * With any finding the history is refused, by `refusalText`; no file is written then.
 */
export async function createPreparation(database: Database) {
  const agents = await readAgentNames(database);
  const agentIds = new Map(agents.map(({ slug, id }) => [slug, id]));
  const namesOf = await createKnownNames(database, agents);
  return async (workflowId: string, fetched: History) => {
    const history = cleanHistory(fetched, agentIds);
    return { history, findings: findPersonalData(history, await namesOf(workflowId)) };
  };
}

export type Preparation = Awaited<ReturnType<typeof createPreparation>>;

export interface Refusal {
  file: string;
  findings: readonly Finding[];
}

export function refusalText({ file, findings }: Refusal): string {
  const places = findings.map(({ eventId, what }) => `event ${eventId} holds ${what}`);
  return `${file} is not written: ${places.join(', ')}.`;
}

/** What an event holds that no file may; never the value itself. */
export interface Finding {
  eventId: string;
  what: string;
}

/** Looks for phones, e-mails, folders of a machine and these names in every text of a history. */
export function findPersonalData(
  { events }: HistoryJson,
  names: readonly RegExp[] = [],
): Finding[] {
  return events.flatMap((event) =>
    kindsIn(event, names).map((what) => ({ eventId: event.eventId, what })),
  );
}

const EMAIL = /[^\s@"<>(),:;]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,}/u;
const FOLDER = /\/(?:home|work|root|tmp|Users)\//;

export function kindsIn(value: unknown, names: readonly RegExp[] = []): string[] {
  const texts = [...textsIn(value)].map(asTyped);
  return [
    ...(texts.some((text) => EMAIL.test(text)) ? ['an e-mail'] : []),
    ...(texts.some(hasPhone) ? ['a phone'] : []),
    ...(texts.some((text) => FOLDER.test(text)) ? ['a folder of a machine'] : []),
    ...(texts.some((text) => names.some((name) => name.test(text))) ? ['a name'] : []),
  ];
}

/** Keys as well; the texts in a payload one by one, since JSON in JSON has letters of its own between words. */
function* textsIn(value: unknown): Generator<string> {
  if (isPayload(value)) return yield* textsIn(decodePayload(value));
  if (typeof value !== 'object') return yield String(value);
  for (const [key, each] of Object.entries(value ?? {})) {
    yield key;
    yield* textsIn(each);
  }
}

/** Removes what the Web UI's pages put in front of characters that would be Markdown or a link. */
const asTyped = (text: string) => text.replace(/[\u200b\\]/g, '');

const IDS_AND_TIMES = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d[T ][\d:.]+Z?/gi;
/** Written internationally or with a local 0: other digits may be an amount or a time. */
const PHONE_LIKE = /(?<![\p{L}\p{N}.+])(?:\+|0|971)[\d ().-]{6,18}\d(?![\p{L}\p{N}])/gu;

function hasPhone(text: string): boolean {
  const found = text.replace(IDS_AND_TIMES, ' ').match(PHONE_LIKE) ?? [];
  return found.some((digits) => {
    const phone = parsePhoneNumber(digits, 'AE');
    return (digits.startsWith('+') ? phone?.isPossible() : phone?.isValid()) === true;
  });
}

/** Finds each of these names as words of their own, in any case, however its words are joined. */
export function namesPattern(names: readonly string[]): RegExp {
  const patterns = names.map((name) => wordsOf(name).map(escapeRegExp).join('[\\s._-]+'));
  const any = patterns.filter(Boolean).join('|') || '(?!)';
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'iu');
}

function wordsOf(name: string): string[] {
  return name.match(/[\p{L}\p{N}\p{M}'’]+/gu) ?? [];
}

/** Each lead's history has these words, and test leads are named so. */
const OWN_WORDS = ['lead', 'agent', 'rule', 'team', 'pool', 'client', 'test'];
/** Shorter ones are syllables of anything. */
const THREE_LETTERS = /(?:\p{L}.*){3}/u;

/**
 * The names that the run of a workflow must not hold: the full name of any agent, and each word of its own
 * customer's names, but for words that names of records have too: a rule may be called 'Marina', and so may she.
 */
async function createKnownNames(sql: Sql, agents: readonly { name: string }[]) {
  const recordWords = (await readRecordNamesInHistories(sql)).flatMap(wordsOf);
  const common = new Set([...OWN_WORDS, ...recordWords.map(lowerCase)]);
  const ofAgents = namesPattern(agents.map(({ name }) => name).filter(hasSeveralWords));
  const readCustomerNames = createCustomerNameReader(sql);
  return async (workflowId: string): Promise<RegExp[]> => {
    const leadId = leadIdOf(workflowId);
    if (leadId === undefined || !isUuid(leadId)) return [ofAgents];
    const names = await readCustomerNames(leadId);
    const words = names.flatMap(wordsOf).filter((word) => THREE_LETTERS.test(word));
    const telling = words.filter((word) => !common.has(lowerCase(word)));
    return [ofAgents, namesPattern([...telling, ...[names.join(' ')].filter(hasSeveralWords)])];
  };
}

const lowerCase = (word: string) => word.toLowerCase();
const hasSeveralWords = (name: string) => wordsOf(name).length > 1;
