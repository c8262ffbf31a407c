import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { Counter, Histogram } from 'prom-client';
import { parseTraceparent, traceFields } from '../../platform/trace-context.ts';

const SHORT_TOKEN = /^[A-Za-z0-9._-]{1,64}$/;

export function logRequests(log: Logger): Koa.Middleware {
  return async (http, next) => {
    const sent = http.get('x-request-id');
    const requestId = SHORT_TOKEN.test(sent) ? sent : randomUUID();
    http.state.requestId = requestId;
    http.state.trace = parseTraceparent(http.get('traceparent'));
    http.set('X-Request-Id', requestId);
    http.state.startedMs = performance.now();
    await next();
    const seconds = (performance.now() - http.state.startedMs) / 1000;
    observeRequest(http, seconds);
    log.info(
      {
        ...requestFields(http),
        clientId: http.state.clientId,
        leadId: http.state.leadId,
        method: http.method,
        route: http.state.route ?? null,
        status: http.status,
        ms: Math.round(seconds * 10_000) / 10,
      },
      'request',
    );
  };
}

export function requestFields({ state }: Koa.Context) {
  return { requestId: state.requestId, ...traceFields(state.trace) };
}

export function recordProtocolError(
  log: Logger,
  { status, ...facts }: { requestId: string; status: number; cause: unknown },
): void {
  requestCounter.inc({ method: 'any', route: 'none', status: String(status) });
  log[status < 500 ? 'info' : 'error']({ ...facts, status }, 'protocol error');
}

const requestCounter = new Counter({
  name: 'http_requests_total',
  help: 'Requests of the public interface, by route and status.',
  labelNames: ['method', 'route', 'status'] as const,
});

const durationHistogram = new Histogram({
  name: 'http_request_seconds',
  help: 'How long a request took until its answer was ready.',
  labelNames: ['method', 'route'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Labelled with the route's pattern: the path is unbounded and may contain an id. */
function observeRequest(http: Koa.Context, seconds: number): void {
  const route = http.state.route ?? 'none';
  const method = route === 'none' ? 'any' : http.method;
  requestCounter.inc({ method, route, status: String(http.status) });
  durationHistogram.observe({ method, route }, seconds);
}
