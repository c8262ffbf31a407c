import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { Database } from '../../store/db/database.ts';
import { readAgentNames } from '../../store/routing/agents.ts';
import { cleanHistory } from './clean-history.ts';
import { createKnownNames } from './known-names.ts';
import { findPersonalData, type Finding } from './personal-data.ts';

/** Makes of a run's history what may be written to a file, and says what in it may not. */
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
