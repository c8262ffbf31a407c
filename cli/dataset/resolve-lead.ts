import {
  buildColumns,
  type LeadColumns,
  sourceIdOf,
} from '../../domain/leads/column-precedence.ts';
import { linkedSubSources } from '../../domain/leads/lookup-semantics.ts';
import { decideLeadChange, type LeadChange } from '../../domain/leads/lead-change.ts';
import { resolvedNoteText } from '../../domain/leads/timeline-notes.ts';
import type { Columns } from '../../domain/leads/fields.ts';
import { unresolvedValues, joinedLists } from '../../domain/leads/unresolved-values.ts';
import { NO_QUIZ } from '../../domain/quiz/quiz-plan.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import { assignmentStateOf, payloadOf } from '../../store/leads/lead-json.ts';
import { INTAKE_RETRIES, lockPeopleAndLead } from '../../store/leads/lock-people.ts';
import { type LeadChangeInputs, readLeadChangeInputs } from '../../store/leads/intake-facts.ts';
import { changeLead } from '../../store/leads/write-lead.ts';
import { buildResolvedRows } from '../../store/leads/lead-rows.ts';

export interface ResolveRequest {
  /** The lists after the import. */
  reference: Reference;
  /** Who imported. */
  author: string;
  now: Date;
  newId: () => string;
}

/** Fills a lead from the earlier values that the lists match by now; null where none does. */
export function resolveLead(
  database: Database,
  { reference, author, now, newId }: ResolveRequest,
  leadId: string,
): Promise<LeadChange | null> {
  return database.transaction(
    async (sql) => {
      await lockPeopleAndLead(sql, [], leadId);
      const resolved = await decideResolution(sql, reference, leadId);
      if (!resolved) return null;
      const { found, leadChange } = resolved;
      const text = resolvedNoteText(author, leadChange);
      const rows = buildResolvedRows(found.lead, leadChange, { text, now, newId });
      await changeLead(sql, found.lead, rows, now);
      return leadChange;
    },
    { retries: INTAKE_RETRIES },
  );
}

/** How `resolveLead` would change the lead; null where not at all. Nothing is locked or changed. */
export async function decideResolution(sql: Sql, reference: Reference, leadId: string) {
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
  const leadChange = decide(found, current, { ...built, columns });
  return leadChange.updatedFields.length > 0 || built.answered.length > 0
    ? { found, leadChange }
    : null;
}

const { keys: NO_KEYS } = unresolvedValues({}, {});

function decide({ lead }: LeadChangeInputs, current: Columns, built: LeadColumns): LeadChange {
  return decideLeadChange({
    kind: 'update',
    current,
    intakeUnresolved: lead.intake_unresolved,
    assignment: assignmentStateOf(lead),
    built,
    quiz: NO_QUIZ,
    isBlockStored: false,
    newPhones: [],
    newEmails: [],
    addedComments: 0,
  });
}
