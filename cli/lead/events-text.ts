import type { LeadEventDelivery, LeadEventEntry } from '../../store/leads/lead-events.ts';
import { tableText, timeText } from '../text.ts';

export function eventsText(events: readonly LeadEventEntry[]): string {
  if (events.length === 0) return 'Nothing was announced yet.';
  return tableText(
    ['#', 'event', 'at', 'endpoint', 'status', 'tries', 'last answer', 'next try'],
    events.flatMap(eventRows),
  );
}

function eventRows({ sequence, type, createdAt, deliveries }: LeadEventEntry): unknown[][] {
  const event = [sequence, type, timeText(createdAt)];
  if (deliveries.length === 0) return [[...event, 'nobody listens', '', '', '', '']];
  return deliveries.map((delivery) => [...event, ...deliveryCells(delivery)]);
}

function deliveryCells(delivery: LeadEventDelivery): unknown[] {
  const { url, status, attempts, lastStatusCode, lastError, nextAttemptAt } = delivery;
  const next = status === 'pending' ? timeText(nextAttemptAt) : '';
  return [url, status, attempts, lastStatusCode ?? lastError, next];
}
