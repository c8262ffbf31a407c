import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';

type Optional<T> = T | null | undefined;

export function readPayload(payload: Optional<Payload>): unknown {
  return payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
}

/** What an operator reads beside an activity or timer, in quotes; empty where there is none. */
export function summaryLabel(metadata: Optional<{ summary?: Optional<Payload> }>): string {
  const summary = readPayload(metadata?.summary);
  return summary ? `'${String(summary)}'` : '';
}

/** The summary, else the duration. */
export function timerLabel(
  metadata: Parameters<typeof summaryLabel>[0],
  duration: Parameters<typeof optionalTsToMs>[0],
): string {
  return summaryLabel(metadata) || `of ${(optionalTsToMs(duration) ?? 0) / 1000} s`;
}

export function namesLabel(attributes: Optional<{ indexedFields?: Optional<object> }>): string {
  const names = Object.keys(attributes?.indexedFields ?? {}).toSorted();
  return names.map((name) => `\`${name}\``).join(', ');
}
