import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { observeRequest } from './metrics.ts';

const SHORT_TOKEN = /^[A-Za-z0-9._-]{1,64}$/;

/** A request id, echoed when sent as a short token, and one line per request; no query, no body. */
export function requestLog(log: Logger): Koa.Middleware {
  return async (http, next) => {
    const sent = http.get('x-request-id');
    const requestId = SHORT_TOKEN.test(sent) ? sent : randomUUID();
    http.state.requestId = requestId;
    http.set('X-Request-Id', requestId);
    const started = performance.now();
    await next();
    const seconds = (performance.now() - started) / 1000;
    observeRequest(http, seconds);
    log.info(
      {
        requestId,
        clientId: http.state.clientId as string | undefined,
        leadId: http.state.leadId as string | undefined,
        method: http.method,
        route: (http.state.route as string | undefined) ?? null,
        status: http.status,
        ms: Math.round(seconds * 10_000) / 10,
      },
      'request',
    );
  };
}
