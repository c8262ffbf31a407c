import { leadWorkflowId } from '../../workflows/contracts/lead-lifecycle.ts';
import type { Afterwards } from './afterwards.ts';
import type { Sent } from './send-all.ts';
import type { Standings } from './lead-states.ts';

type Example = readonly [sort: string, leadId: string];

/** One lead of each sort to look at, another one each time where there is another. */
export function examples(
  sent: readonly Sent[],
  standings: Standings,
  { updates }: Afterwards,
): Example[] {
  const rerouted = updates.filter((update) => update.rerouted).map(({ id }) => id);
  const chosen = new Set<string>();
  return sorts(standings)
    .flatMap(([sort, isSo]): Example[] => {
      const ids = sent.filter(isSo).map(({ answer }) => answer.id);
      return choice(sort, ids, chosen);
    })
    .concat(choice('routed again', rerouted, chosen));
}

function choice(sort: string, ids: readonly string[], chosen: Set<string>): Example[] {
  const id = ids.find((one) => !chosen.has(one)) ?? ids[0];
  if (id === undefined) return [];
  chosen.add(id);
  return [[sort, id]];
}

function sorts(standings: Standings): [sort: string, isSo: (one: Sent) => boolean][] {
  const stands = (wanted: string) => (one: Sent) => standings.get(one.answer.id)?.status === wanted;
  return [
    ['owner named at once', ({ answer }) => !answer.merged && answer.assignedTo !== null],
    [
      'assigned by rules',
      (one) => !one.answer.merged && !one.answer.assignedTo && stands('assigned')(one),
    ],
    ['in a pool', stands('pool')],
    ['unassigned', stands('unassigned')],
    ['pending', stands('pending')],
    ['merged into', ({ answer }) => answer.merged],
    ['repeat', ({ answer }) => !answer.merged && answer.isRepeatLead],
    ['needs review', ({ answer }) => !answer.merged && answer.needsIntakeReview],
    ['competing agent', ({ answer }) => !answer.merged && answer.isAgentEnquiry],
  ];
}

export function workflowUrl(temporalUiUrl: string, namespace: string, leadId: string): string {
  const workflowId = encodeURIComponent(leadWorkflowId(leadId));
  return `${temporalUiUrl}/namespaces/${namespace}/workflows/${workflowId}`;
}
