import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';

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

/** The server would refuse to set missing attributes at each attempt. */
export interface MissingSearchAttributes {
  missingSearchAttributes?: readonly string[];
}

export function existingOnly(
  attributes: SearchAttributeUpdatePair[],
  { missingSearchAttributes = [] }: MissingSearchAttributes,
): SearchAttributeUpdatePair[] {
  return attributes.filter(({ key }) => !missingSearchAttributes.includes(key.name));
}
