import { isUuid } from '../../domain/uuid.ts';
import type { Sql } from '../../store/db/database.ts';
import {
  createCustomerNameReader,
  readRecordNamesInHistories,
} from '../../store/leads/lead-overview.ts';
import { leadIdOf } from '../../workflows/contracts/lead-lifecycle.ts';
import { namesPattern, wordsOf } from './personal-data.ts';

/** Each lead's history has these words, and test leads are named so. */
const OWN_WORDS = ['lead', 'agent', 'rule', 'team', 'pool', 'client', 'test'];
/** Shorter ones are syllables of anything. */
const THREE_LETTERS = /(?:\p{L}.*){3}/u;

/**
 * The names that the run of a workflow must not hold: the full name of any agent, and each word of its own
 * customer's names, but for words that names of records have too: a rule may be called 'Marina', and so may she.
 */
export async function createKnownNames(sql: Sql, agents: readonly { name: string }[]) {
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
