import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { DeliverySnapshot, LeadSnapshot } from './contracts/lead-snapshot.ts';
import { searchAttributes } from './contracts/search-attributes.ts';
import { listOf, pageOf } from './contracts/web-ui-page.ts';

/** How a lead looks in the Temporal Web UI: ids, names of records and slugs of agents, never a customer. */

const KEYWORD_CHARACTERS = 255;

export function searchAttributesFor(
  lead: LeadSnapshot,
  deliveries: readonly DeliverySnapshot[],
): SearchAttributeUpdatePair[] {
  return [
    { key: searchAttributes.leadStatus, value: lead.status },
    { key: searchAttributes.leadSource, value: keywordOf(lead.source) },
    { key: searchAttributes.funnel, value: keywordOf(lead.funnel) },
    { key: searchAttributes.agent, value: keywordOf(lead.agentSlug) },
    { key: searchAttributes.agentId, value: lead.agentId },
    { key: searchAttributes.oauthClientId, value: lead.oauthClientId },
    { key: searchAttributes.needsReview, value: lead.needsReview },
    { key: searchAttributes.rulesetVersion, value: lead.rulesetVersion },
    { key: searchAttributes.webhookState, value: webhookState(deliveries) },
  ];
}

/** What failed for good needs an operator, so it goes before what is still retried. */
function webhookState(deliveries: readonly DeliverySnapshot[]): 'failed' | 'retrying' | null {
  if (deliveries.some(({ status }) => status === 'failed')) return 'failed';
  return deliveries.some(isRetried) ? 'retrying' : null;
}

const isRetried = ({ status, attempts }: DeliverySnapshot) => status === 'pending' && attempts > 0;

/** As much of a name as a server on Postgres keeps; over 2 KiB any server ends the run. */
function keywordOf(name: string | null): string | null {
  return name === null ? null : Array.from(name).slice(0, KEYWORD_CHARACTERS).join('');
}

/** The lead's page until its first refresh. */
export const LOADING_DETAILS =
  '**Loading the lead.** If this stays, its pending activity shows what went wrong.';

/** The lead's page, as Markdown: where it stands, why it went there, what is waited for. */
export function describeLead(
  lead: LeadSnapshot,
  deliveries: readonly DeliverySnapshot[] = [],
): string {
  const move = lead.moves > 0 ? `, move ${lead.moves}` : '';
  return pageOf([
    `**${placeOf(lead)}** (round ${lead.round}${move})`,
    listOf('Why', lead.story),
    responseOf(lead),
    listOf('Waiting for', waits(lead)) || 'Nothing is waited for.',
    listOf('Webhooks', webhookLines(lead, deliveries)),
    lead.needsReview ? 'Some values sent matched no record: the lead needs review.' : '',
  ]);
}

function placeOf({ status, agentSlug, poolName, isPersonal }: LeadSnapshot): string {
  switch (status) {
    case 'assigned':
      return `Held by agent ${agentSlug ?? ''}${isPersonal ? ', for good (Personal distribution)' : ''}`;
    case 'pool':
      return `In the pool '${poolName ?? ''}'`;
    case 'unassigned':
      return 'Unassigned: nobody took it';
    case 'pending':
      return 'Waiting to be routed';
  }
}

/** Those that failed or are retried, each with the command that sends it now. */
function webhookLines(
  { clientLabel }: LeadSnapshot,
  deliveries: readonly DeliverySnapshot[],
): string[] {
  return deliveries.flatMap((delivery) => {
    const { eventId, endpointId, eventType, status, failureReason } = delivery;
    const what = `${eventType} to ${clientLabel}`;
    const resend = `\`leadctl webhook resend ${eventId}/${endpointId}\``;
    if (status === 'failed')
      return [`${what} failed for good. ${failureReason ?? ''} Send it again: ${resend}`];
    if (!isRetried(delivery)) return [];
    return [
      `${what} is retried; Pending Activities tells its last failure and next attempt. Send it now: ${resend}`,
    ];
  });
}

function responseOf({ status, isResponded, followUpDueAtMs }: LeadSnapshot): string {
  if (status !== 'assigned') return '';
  if (isResponded) return 'The agent has responded.';
  return followUpDueAtMs === null ? 'No response is recorded, and no response clock runs.' : '';
}

function waits({ status, followUpDueAtMs, mergeWindowEndsAtMs }: LeadSnapshot): string[] {
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
