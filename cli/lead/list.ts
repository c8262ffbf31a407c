import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import { listLeads } from '../../store/leads/list-leads.ts';
import type { ListedLead } from '../../store/leads/list-leads.ts';
import { findAgentByEmail } from '../agent.ts';
import type { Operator } from '../operator.ts';
import { tableText, timeText, valueText } from '../text.ts';

export interface ListOptions {
  status?: LeadStatus;
  agent?: string;
  review: boolean;
  /** Milliseconds. */
  waiting?: number;
  limit: number;
}

/** Leads by where they are, also those with no workflow open. */
export async function showLeads(operator: Operator, options: ListOptions): Promise<void> {
  const { status = null, agent, review, waiting, limit } = options;
  const leads = await listLeads(await operator.database(), {
    status,
    agentId: agent === undefined ? null : (await findAgentByEmail(operator, agent)).id,
    needsReview: review,
    waitingSince: waiting === undefined ? null : new Date(operator.now().getTime() - waiting),
    limit,
  });
  operator.show(leads, leadsText);
}

function leadsText(leads: readonly ListedLead[]): string {
  return tableText(
    ['lead', 'state', 'since', 'holder or pool', 'response', 'to review', 'client'],
    leads.map((lead) => [
      lead.id,
      lead.status,
      timeText(lead.since),
      lead.holder?.email ?? lead.pool,
      responseText(lead),
      valueText(lead.unresolvedFields),
      lead.client,
    ]),
  );
}

function responseText({ respondedAt, followUpDueAt }: ListedLead): string {
  if (respondedAt) return `recorded ${timeText(respondedAt)}`;
  return followUpDueAt ? `until ${timeText(followUpDueAt)}` : '';
}
