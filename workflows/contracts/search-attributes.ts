import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';

/** Typed, so that an operator can filter by them; the worker registers them in the namespace. */
export const searchAttributes = {
  leadStatus: defineSearchAttributeKey('LeadStatus', 'KEYWORD'),
  leadSource: defineSearchAttributeKey('LeadSource', 'KEYWORD'),
  funnel: defineSearchAttributeKey('Funnel', 'KEYWORD'),
  agent: defineSearchAttributeKey('Agent', 'KEYWORD'),
  agentId: defineSearchAttributeKey('AgentId', 'KEYWORD'),
  oauthClientId: defineSearchAttributeKey('OAuthClientId', 'KEYWORD'),
  needsReview: defineSearchAttributeKey('NeedsReview', 'BOOL'),
  rulesetVersion: defineSearchAttributeKey('RulesetVersion', 'INT'),
  webhookState: defineSearchAttributeKey('WebhookState', 'KEYWORD'),
  endpointId: defineSearchAttributeKey('WebhookEndpointId', 'KEYWORD'),
  eventType: defineSearchAttributeKey('WebhookEventType', 'KEYWORD'),
} as const;

/** Part of an activity's result if the namespace lacks some: the server would refuse to set them at each attempt. */
export interface MissingSearchAttributes {
  missingSearchAttributes?: readonly string[];
}

export function existingOnly(
  attributes: SearchAttributeUpdatePair[],
  { missingSearchAttributes = [] }: MissingSearchAttributes,
): SearchAttributeUpdatePair[] {
  return attributes.filter(({ key }) => !missingSearchAttributes.includes(key.name));
}
