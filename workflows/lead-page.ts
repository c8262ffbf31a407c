import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { DeliverySnapshot, LeadSnapshot } from './contracts/lead-snapshot.ts';
import { existingOnly, searchAttributes } from './contracts/search-attributes.ts';
import { escapeMarkdown, formatList, formatPage } from './contracts/web-ui-page.ts';

/** The current details cost no event in the history. */
export function createLeadPublisher() {
  const initial = workflowInfo().typedSearchAttributes.getAll();
  const written = new Map<string, unknown>(initial.map(({ key, value }) => [key.name, value]));
  return (lead: LeadSnapshot, deliveries: readonly DeliverySnapshot[]): void => {
    const changed = existingOnly(searchAttributesFor(lead, deliveries), lead).filter(
      ({ key, value }) => (written.get(key.name) ?? null) !== value,
    );
    for (const { key, value } of changed) written.set(key.name, value);
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(describeLead(lead, deliveries));
  };
}

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

function webhookState(deliveries: readonly DeliverySnapshot[]): 'failed' | 'retrying' | null {
  if (deliveries.some(({ status }) => status === 'failed')) return 'failed';
  return deliveries.some(isRetried) ? 'retrying' : null;
}

const isRetried = ({ status, attempts }: DeliverySnapshot) => status === 'pending' && attempts > 0;

/** Postgres as Temporal's store keeps no more. Any server fails a run over 2 KiB. */
function keywordOf(name: string | null): string | null {
  return name === null ? null : Array.from(name).slice(0, KEYWORD_CHARACTERS).join('');
}

export const LOADING_DETAILS =
  '**Loading the lead.** If this stays, its pending activity shows what went wrong.';

export function describeLead(lead: LeadSnapshot, deliveries: readonly DeliverySnapshot[]) {
  const move = lead.moves > 0 ? `, move ${lead.moves}` : '';
  return formatPage([
    `**${describeState(lead)}** (round ${lead.round}${move})`,
    formatList('Why', lead.reasons.map(escapeMarkdown)),
    describeResponse(lead),
    formatList('Waiting for', listWaits(lead)) || 'Nothing is waited for.',
    formatList('Webhooks', webhookLines(lead, deliveries)),
    lead.needsReview ? 'Some values sent matched no record: the lead needs review.' : '',
  ]);
}

/** A constraint of the table gives each assigned lead an agent, and each lead in a pool its pool. */
function describeState({ status, agentSlug, poolName, isPersonal }: LeadSnapshot): string {
  switch (status) {
    case 'assigned':
      return `Held by agent ${escapeMarkdown(String(agentSlug))}${isPersonal ? ', for good (Personal distribution)' : ''}`;
    case 'pool':
      return `In the pool '${escapeMarkdown(String(poolName))}'`;
    case 'unassigned':
      return 'Unassigned: nobody took it';
    case 'pending':
      return 'Waiting for an agent who can take it';
  }
}

function webhookLines(lead: LeadSnapshot, deliveries: readonly DeliverySnapshot[]): string[] {
  return deliveries.flatMap((delivery) => {
    const { eventId, endpointId, eventType, status, failureReason } = delivery;
    const what = `${eventType} to ${escapeMarkdown(lead.clientLabel)}`;
    const resend = `\`leadctl webhook resend ${eventId}/${endpointId}\``;
    if (status === 'failed')
      return [
        `${what} failed for good. ${escapeMarkdown(String(failureReason))} Send it again: ${resend}`,
      ];
    if (status === 'held')
      return [`${what} waits until the client is active again: \`leadctl client activate\``];
    if (!isRetried(delivery)) return [];
    return [
      `${what} is retried; Pending Activities shows its last failure and next attempt. Send it now: ${resend}`,
    ];
  });
}

function describeResponse({
  status,
  isResponded,
  isRespondedBefore,
  followUpDueAtMs,
}: LeadSnapshot): string {
  if (status !== 'assigned') return '';
  if (isRespondedBefore) return 'An earlier agent has responded, and no response clock runs.';
  if (isResponded) return 'The agent has responded.';
  return followUpDueAtMs === null ? 'No response is recorded, and no response clock runs.' : '';
}

function listWaits(lead: LeadSnapshot): string[] {
  const { status, followUpDueAtMs, waitDueAtMs, mergeWindowEndsAtMs } = lead;
  return [
    status === 'pool' && 'an agent to claim it',
    status === 'unassigned' && 'new details, which route it again',
    typeof waitDueAtMs === 'number' &&
      `an agent who can take it, routed again at ${formatTime(waitDueAtMs)} or as soon as one is free`,
    followUpDueAtMs !== null && `a response of the agent, until ${formatTime(followUpDueAtMs)}`,
    mergeWindowEndsAtMs !== null &&
      `the end of the merge window, ${formatTime(mergeWindowEndsAtMs)}`,
  ].filter((wait) => wait !== false);
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace(/T(.*)\.\d+Z$/, ' $1 UTC');
}
