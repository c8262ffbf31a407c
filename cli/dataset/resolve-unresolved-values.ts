import { changeLeads } from '../../app/assignment/change-leads.ts';
import { buildColumns, sourceIdOf } from '../../domain/leads/column-precedence.ts';
import { linkedSubSources } from '../../domain/leads/lookup-semantics.ts';
import { decideLeadChange } from '../../domain/leads/lead-change.ts';
import { resolvedNoteText } from '../../domain/leads/timeline-notes.ts';
import {
  joinedLists,
  mayMatch,
  unresolvedListings,
  unresolvedValues,
} from '../../domain/leads/unresolved-values.ts';
import { NO_QUIZ } from '../../domain/quiz/quiz-plan.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import { assignmentStateOf, payloadOf } from '../../store/leads/lead-json.ts';
import {
  INTAKE_RETRIES,
  lockPeopleAndLead,
  readLeadChangeInputs,
} from '../../store/leads/intake-facts.ts';
import { buildResolvedRows } from '../../store/leads/lead-rows.ts';
import { isUuid } from '../../domain/uuid.ts';
import { readFlagged, readKnownListings, type FlaggedLead } from '../../store/leads/find-leads.ts';

interface ResolveRequest {
  reference: Reference;
  author: string;
  now: Date;
  newId: () => string;
}

/** Uses one transaction per lead, so that it can be run again. */
export async function resolveUnresolvedValues(database: Database, request: ResolveRequest) {
  const counts = { checked: 0, resolved: 0, rerouted: 0 };
  for await (const { checked, candidates } of flaggedPages(database, request.reference)) {
    counts.checked += checked;
    for (const id of candidates) {
      const leadChange = await resolveLead(database, request, id);
      counts.resolved += leadChange ? 1 : 0;
      counts.rerouted += leadChange?.rerouted ? 1 : 0;
    }
  }
  return counts;
}

/** A decision takes some milliseconds per lead, and an import only says that there are many. */
export const MOST_RESOLVABLE = 100;

export async function countResolvable(database: Database, reference: Reference): Promise<number> {
  let count = 0;
  for await (const { candidates } of flaggedPages(database, reference)) {
    for (const id of candidates) {
      count += (await decideResolution(database, reference, id)) ? 1 : 0;
      if (count === MOST_RESOLVABLE) return count;
    }
  }
  return count;
}

const PAGE_SIZE = 200;

async function* flaggedPages(database: Database, reference: Reference) {
  for (let afterId: string | null = null; ;) {
    const page: FlaggedLead[] = await readFlagged(database, { afterId, limit: PAGE_SIZE });
    const named = page.flatMap(({ flags }) => unresolvedListings(flags));
    const listings = await readKnownListings(database, named.filter(isUuid), named);
    const candidates = page
      .filter(({ flags, sourceId }) => mayMatch(flags, { reference, sourceId, listings }))
      .map(({ id }) => id);
    yield { checked: page.length, candidates };
    afterId = page.at(-1)?.id ?? null;
    if (page.length < PAGE_SIZE) return;
  }
}

function resolveLead(
  database: Database,
  { reference, author, now, newId }: ResolveRequest,
  leadId: string,
) {
  return database.transaction(
    async (sql) => {
      const { outcomes } = await changeLeads({ now: () => now, newId }, sql, {
        now,
        async lock(sql) {
          await lockPeopleAndLead(sql, [], leadId);
          const resolved = await decideResolution(sql, reference, leadId);
          return resolved ? [{ ...resolved, lead: resolved.found.lead }] : [];
        },
        decide({ lead, leadChange }) {
          const text = resolvedNoteText(author, leadChange);
          const rows = buildResolvedRows(lead, leadChange, { text, now, newId });
          return { outcome: leadChange, cause: leadChange.cause, ...rows };
        },
      });
      return outcomes.get(leadId) ?? null;
    },
    { retries: INTAKE_RETRIES },
  );
}

/** Null if it would change nothing. */
async function decideResolution(sql: Sql, reference: Reference, leadId: string) {
  const flagged = await readLeadChangeInputs(sql, leadId, NO_KEYS);
  if (!flagged?.lead.intake_unresolved) return null;
  const current = payloadOf(flagged.lead);
  const enquiry = unresolvedValues(flagged.lead.intake_unresolved, current);
  const found = await readLeadChangeInputs(sql, leadId, enquiry.keys);
  if (!found) return null;
  const { listings, currentListing } = found;
  const built = buildColumns(enquiry, {
    kind: 'update',
    reference,
    current,
    listings,
    currentListing,
    supersededQuiz: new Map(),
    block: null,
    campaign: null,
  });
  const linked = linkedSubSources(current, reference, sourceIdOf(built.columns));
  const columns = joinedLists(built.columns, { ...current, sub_source_ids: linked });
  const leadChange = decideLeadChange({
    merged: null,
    current,
    intakeUnresolved: found.lead.intake_unresolved,
    assignment: assignmentStateOf(found.lead),
    built: { ...built, columns },
    quiz: NO_QUIZ,
    isBlockStored: false,
    newPhones: [],
    newEmails: [],
    addedComments: 0,
  });
  return leadChange.updatedFields.length > 0 || built.answered.length > 0
    ? { found, leadChange }
    : null;
}

const { keys: NO_KEYS } = unresolvedValues({}, {});
