import { randomBytes } from 'node:crypto';

/** As in W3C Trace Context. */
export interface TraceContext {
  traceId: string;
  /** The caller's span, or a span of this service. */
  spanId: string;
  /** Two hexadecimal digits. */
  flags: string;
}

const TRACEPARENT =
  /^((?!ff)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Sampled and random. Other flags have no meaning yet. */
const KNOWN_FLAGS = 0x03;

/** Null if invalid. Reads a later version like version 00. */
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

export function traceFields(trace: TraceContext | null) {
  return { traceId: trace?.traceId, spanId: trace?.spanId };
}
