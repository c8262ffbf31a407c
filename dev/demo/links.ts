import { leadWorkflowId } from '../../workflows/messages.ts';
import type { Afterwards } from './afterwards.ts';
import type { Sent } from './send-all.ts';
import type { Standings } from './standing.ts';

/** One lead of each sort, to look at. */
export function examples(
  sent: readonly Sent[],
  standings: Standings,
  { updates }: Afterwards,
): [sort: string, leadId: string][] {
  const leadThat = (isSo: (one: Sent) => boolean) => sent.find(isSo)?.answer.id;
  const standing = (wanted: string) =>
    leadThat(({ answer }) => standings.get(answer.id)?.status === wanted);
  const found: [string, string | undefined][] = [
    ['assigned by rules', leadThat((one) => !ownedAtOnce(one) && isHeld(one, standings))],
    ['owner named at once', leadThat(ownedAtOnce)],
    ['in a pool', standing('pool')],
    ['unassigned', standing('unassigned')],
    ['pending', standing('pending')],
    ['merged into', leadThat(({ answer }) => answer.merged)],
    ['repeat', leadThat(({ answer }) => !answer.merged && answer.isRepeatLead)],
    ['needs review', leadThat(({ answer }) => !answer.merged && answer.needsIntakeReview)],
    ['competing agent', leadThat(({ answer }) => !answer.merged && answer.isAgentEnquiry)],
    ['routed again', updates.find(({ rerouted }) => rerouted)?.id],
  ];
  return found.flatMap(([sort, id]) => (id === undefined ? [] : [[sort, id]]));
}

function ownedAtOnce({ answer }: Sent): boolean {
  return !answer.merged && answer.assignedTo !== null;
}

function isHeld({ answer }: Sent, standings: Standings): boolean {
  return !answer.merged && standings.get(answer.id)?.status === 'assigned';
}

export function workflowUrl(temporalUiUrl: string, namespace: string, leadId: string): string {
  const workflowId = encodeURIComponent(leadWorkflowId(leadId));
  return `${temporalUiUrl}/namespaces/${namespace}/workflows/${workflowId}`;
}
