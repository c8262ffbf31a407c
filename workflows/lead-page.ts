import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { LeadStanding } from './messages.ts';
import { searchAttributes } from './messages.ts';

/** How a lead looks in the Temporal Web UI. Ids and names of records only, never a person. */

export function standingAttributes(standing: LeadStanding): SearchAttributeUpdatePair[] {
  const { leadStatus, leadSource, funnel, agentId, oauthClientId, needsReview, rulesetVersion } =
    searchAttributes;
  return [
    { key: leadStatus, value: standing.status },
    { key: leadSource, value: standing.source },
    { key: funnel, value: standing.funnel },
    { key: agentId, value: standing.agentId },
    { key: oauthClientId, value: standing.oauthClientId },
    { key: needsReview, value: standing.needsReview },
    { key: rulesetVersion, value: standing.rulesetVersion },
  ];
}

/** The lead's page, as Markdown: where it stands, why it went there, what is waited for. */
export function describeStanding(standing: LeadStanding): string {
  return [
    `**${placeOf(standing)}** (round ${standing.round}${standing.moves > 0 ? `, move ${standing.moves}` : ''})`,
    whyOf(standing),
    waitingFor(standing),
    standing.needsReview ? 'Some values sent matched no record: the lead needs review.' : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function placeOf({ status, agentId, poolName, isPersonal }: LeadStanding): string {
  switch (status) {
    case 'assigned':
      return `Held by agent ${agentId ?? ''}${isPersonal ? ', for good (Personal distribution)' : ''}`;
    case 'pool':
      return `In the pool '${poolName ?? ''}', until an agent claims it`;
    case 'unassigned':
      return 'Unassigned: nobody took it';
    case 'pending':
      return 'Waiting to be routed';
  }
}

function whyOf({ story }: LeadStanding): string {
  return story.length === 0 ? '' : `Why:\n${story.map((line) => `- ${line}`).join('\n')}`;
}

function waitingFor({ followUpDueAtMs, mergeWindowEndsAtMs, isResponded }: LeadStanding): string {
  const lines = [
    ...(followUpDueAtMs === null
      ? []
      : [`- a response of the agent, until ${atText(followUpDueAtMs)}`]),
    ...(mergeWindowEndsAtMs === null
      ? []
      : [`- the end of the merge window, ${atText(mergeWindowEndsAtMs)}`]),
  ];
  const responded = isResponded ? 'The agent has responded.\n\n' : '';
  return `${responded}${lines.length === 0 ? 'Nothing is waited for.' : `Waiting for:\n${lines.join('\n')}`}`;
}

function atText(ms: number): string {
  return new Date(ms).toISOString();
}
