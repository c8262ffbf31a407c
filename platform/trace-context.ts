import { randomBytes } from 'node:crypto';

/** The trace that a request is part of, as W3C Trace Context names it. */
export interface TraceContext {
  traceId: string;
  /** The id of the span that makes the request: the caller's, or one of this service. */
  spanId: string;
  /** Two hexadecimal digits. */
  flags: string;
}

const TRACEPARENT =
  /^((?!ff)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Sampled and random; the others have no meaning yet and are not passed on. */
const KNOWN_FLAGS = 0x03;

/** Null for what is no valid `traceparent`. A later version is read as far as version 00 goes. */
export function parseTraceparent(value: string | null | undefined): TraceContext | null {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(value ?? '') ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && rest !== undefined)) return null;
  const known = Number.parseInt(flags, 16) & KNOWN_FLAGS;
  return { traceId, spanId, flags: known.toString(16).padStart(2, '0') };
}

export function formatTraceparent({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

export function startSpan(trace: TraceContext): TraceContext {
  return { ...trace, spanId: randomBytes(8).toString('hex') };
}

/** For a log line; without a trace there are none. */
export function traceFields(trace: TraceContext | null) {
  return { traceId: trace?.traceId, spanId: trace?.spanId };
}
