import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { HistoryEvent } from './read-history.ts';

export interface Difference {
  eventId: number | null;
  history: string;
  code: string;
}

export function readDifference(error: Error, events: readonly HistoryEvent[]): Difference {
  const text = readText(error.message);
  const event = findEvent(text, events);
  return {
    eventId: event ? Number(event.eventId) : null,
    history: event ? describeEvent(event) : '',
    code: THROWN.test(error.message) ? `throws: ${text}` : describeCode(text),
  };
}

const THROWN = /^Replay failed due workflow task failure/;

/** The SDK's message quotes a Rust struct. The first message in it is the text. */
function readText(message: string): string {
  const [, quoted = message] = /\bmessage: "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  return quoted.replace(/^\[TMPRL\d+\] Nondeterminism error: /, '').replaceAll(/\\(["'\\])/g, '$1');
}

const EVENT =
  /HistoryEvent\(id: (?<id>\d+)|LocalActivity\((?<seq>\d+)\)|(?:marker|event) '(?<type>.+?)' does not match/;

function findEvent(text: string, events: readonly HistoryEvent[]): HistoryEvent | undefined {
  const { id, seq, type } = EVENT.exec(text)?.groups ?? {};
  if (id) return events[Number(id) - 1];
  if (seq) return events.find((event) => readMarker(event)?.seq === Number(seq));
  const [found, ...others] = events.filter((event) => type && activityTypeOf(event) === type);
  return others.length === 0 ? found : undefined;
}

const describeCode = (text: string) =>
  text
    .replace(/^Missing associated machine for LocalActivity.*/, 'other than this local activity')
    .replace(/ ?machine does not handle .*HistoryEvent.*/i, '')
    .replace(/ scheduled for event HistoryEvent.*/, '')
    .replace(/^Activity type of .* does not match activity type of /, '');

function describeEvent(event: HistoryEvent): string {
  const attributes = Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? '';
  const name = activityTypeOf(event) ?? readPayload(event.userMetadata?.summary) ?? '';
  return `${attributes.replace('EventAttributes', '')} ${String(name)}`.trim();
}

function activityTypeOf(event: HistoryEvent): string | undefined {
  const scheduled = event.activityTaskScheduledEventAttributes?.activityType?.name;
  return scheduled ?? readMarker(event)?.activity_type;
}

function readMarker({ markerRecordedEventAttributes: marker }: HistoryEvent) {
  const data = readPayload(marker?.details?.['data']?.payloads?.[0]);
  return data as { seq: number; activity_type: string } | undefined;
}

const readPayload = (payload?: Payload | null): unknown =>
  payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
