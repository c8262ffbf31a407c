/** First attempts of events that were due together, oldest first. */
export interface SendWebhooksInput extends Pick<DeliveryInput, 'endpointId' | 'oauthClientId'> {
  deliveries: Pick<DeliveryInput, 'eventId' | 'generation'>[];
}

export interface DeliveryInput {
  eventId: string;
  endpointId: string;
  oauthClientId: string;
  generation: number;
}

export type DeliveryOutcome = 'delivered' | 'retrying' | 'failed' | 'superseded' | 'held';

export interface DeliveryReport {
  eventId: string;
  outcome: DeliveryOutcome;
  attempts: number;
  detail: string;
}
