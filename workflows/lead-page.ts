import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { LeadStanding } from './messages.ts';
import { searchAttributes } from './messages.ts';
import { listOf, pageOf } from './page.ts';

/** How a lead looks in the Temporal Web UI. Ids and names of records only, never a person. */

const KEYWORD_CHARACTERS = 255;

export function standingAttributes(standing: LeadStanding): SearchAttributeUpdatePair[] {
  const { leadStatus, leadSource, funnel, agentId, oauthClientId, needsReview, rulesetVersion } =
    searchAttributes;
  return [
    { key: leadStatus, value: standing.status },
    { key: leadSource, value: keywordOf(standing.source) },
    { key: funnel, value: keywordOf(standing.funnel) },
    { key: agentId, value: standing.agentId },
    { key: oauthClientId, value: standing.oauthClientId },
    { key: needsReview, value: standing.needsReview },
    { key: rulesetVersion, value: standing.rulesetVersion },
  ];
}

/** As much of a name as a server on Postgres keeps; over 2 KiB any server ends the run. */
function keywordOf(name: string | null): string | null {
  return name === null ? null : Array.from(name).slice(0, KEYWORD_CHARACTERS).join('');
}

/** The lead's page until it was looked up. */
export const LOOKING =
  '**Looking where the lead stands.** If this stays, its pending activity shows what went wrong.';

/** The lead's page, as Markdown: where it stands, why it went there, what is waited for. */
export function describeStanding(standing: LeadStanding): string {
  return pageOf([
    `**${placeOf(standing)}** (round ${standing.round}${standing.moves > 0 ? `, move ${standing.moves}` : ''})`,
    listOf('Why', standing.story),
    responseOf(standing),
    listOf('Waiting for', waits(standing)) || 'Nothing is waited for.',
    standing.needsReview ? 'Some values sent matched no record: the lead needs review.' : '',
  ]);
}

function placeOf({ status, agentId, poolName, isPersonal }: LeadStanding): string {
  switch (status) {
    case 'assigned':
      return `Held by agent ${agentId ?? ''}${isPersonal ? ', for good (Personal distribution)' : ''}`;
    case 'pool':
      return `In the pool '${poolName ?? ''}'`;
    case 'unassigned':
      return 'Unassigned: nobody took it';
    case 'pending':
      return 'Waiting to be routed';
  }
}

function responseOf({ status, isResponded, followUpDueAtMs }: LeadStanding): string {
  if (status !== 'assigned') return '';
  if (isResponded) return 'The agent has responded.';
  return followUpDueAtMs === null ? 'No response is recorded, and no response clock runs.' : '';
}

function waits({ status, followUpDueAtMs, mergeWindowEndsAtMs }: LeadStanding): string[] {
  return [
    ...(status === 'pool' ? ['an agent to claim it'] : []),
    ...(status === 'unassigned' ? ['new details, which route it again'] : []),
    ...(followUpDueAtMs === null
      ? []
      : [`a response of the agent, until ${timeText(followUpDueAtMs)}`]),
    ...(mergeWindowEndsAtMs === null
      ? []
      : [`the end of the merge window, ${timeText(mergeWindowEndsAtMs)}`]),
  ];
}

/** `2026-03-02 08:00:00 UTC` */
function timeText(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}
