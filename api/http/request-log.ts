import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import type { Logger } from 'pino';

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
    log.info(
      {
        requestId,
        clientId: http.state.clientId as string | undefined,
        leadId: http.state.leadId as string | undefined,
        method: http.method,
        route: (http as { _matchedRoute?: unknown })._matchedRoute ?? null,
        status: http.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
      },
      'request',
    );
  };
}
