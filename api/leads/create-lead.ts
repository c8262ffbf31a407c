import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { resolvedSource } from '../../domain/leads/lookup-semantics.ts';
import { mergeTarget } from '../../domain/leads/merge-window.ts';
import type { MatchedOn } from '../../domain/leads/merge-window.ts';
import type { Database } from '../../store/db/database.ts';
import { lockPeople } from '../../store/leads/lock-people.ts';
import { readIntakeFacts } from '../../store/leads/read-intake.ts';
import { applySubmission } from './apply-submission.ts';
import { lockKeys, contactPointsOfEnquiry, lookupKeys } from './lookup-keys.ts';
import { INTAKE_RETRIES } from './request.ts';
import type { CommentCount } from '../responses/lead-record.ts';
import type { IntakeRequest } from './request.ts';
import { writeNewLead } from './write-new-lead.ts';
import type { CreatedLead } from './write-new-lead.ts';

export type CreateOutcome =
  | ({ kind: 'created' } & CreatedLead)
  | {
      kind: 'merged';
      leadId: string;
      matchedOn: MatchedOn;
      assignedTo: AgentView | null;
      comments: CommentCount | null;
    };

/**
 * One READ COMMITTED transaction: the people are locked first, only then is anything read, so that two
 * simultaneous enquiries of one person make one lead.
 */
export async function createLead(
  database: Database,
  request: IntakeRequest,
): Promise<CreateOutcome> {
  const { enquiry, now } = request;
  const people = contactPointsOfEnquiry(enquiry);
  const isPortal = comesFromPortal(request);
  return database.transaction<CreateOutcome>(
    async (sql) => {
      await lockPeople(sql, lockKeys(enquiry, people));
      const facts = await readIntakeFacts(sql, {
        ...lookupKeys(enquiry),
        contactPoints: people,
        now,
      });
      const target = mergeTarget(people, facts.openLeads, isPortal);
      if (!target)
        return {
          kind: 'created',
          ...(await writeNewLead(sql, request, { facts, people, isPortal })),
        };
      const { assignedTo, comments } = await applySubmission(sql, request, target.leadId, 'merge');
      return { kind: 'merged', ...target, assignedTo, comments };
    },
    { retries: INTAKE_RETRIES },
  );
}

/** Enquiries from property portals never merge (merge rule 2). */
function comesFromPortal({ enquiry, reference }: IntakeRequest): boolean {
  const sourceId = resolvedSource(enquiry, reference, null);
  return sourceId !== null && reference.lists.source.byId(sourceId)?.portal === true;
}
