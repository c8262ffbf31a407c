import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { ApiError } from '../errors.ts';

/** Refuses what RFC 9112 forbids and Node's parser accepts, or would refuse without the envelope. */
export const refuseMalformed: Koa.Middleware = async (http, next) => {
  const issue = headerIssue(http.req) ?? (readPath(http) === null ? INVALID_TARGET : undefined);
  if (issue) throw new ApiError('BAD_REQUEST', issue, { headers: { Connection: 'close' } });
  await next();
};

const INVALID_TARGET = 'The target of the request is not valid.';

/** Koa parses the target on the first access of the path: `http://[/` throws, `a://?b` has none. */
export function readPath(http: Koa.Context): string | null {
  try {
    return http.path;
  } catch {
    return null;
  }
}

/** A proxy and Node may pick different values of a repeated header. A repeated `Authorization` is 401. */
const SINGLE = ['host', 'content-type', 'content-length', 'transfer-encoding'];
/** RFC 3986, 3.2 */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

function headerIssue(request: IncomingMessage): string | undefined {
  const { headers, headersDistinct, httpVersion } = request;
  const { host, 'transfer-encoding': coding } = headers;
  const repeated = SINGLE.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated) return `The header ${repeated} was sent more than once.`;
  if (host === undefined && httpVersion !== '1.0') return 'The Host header is missing.';
  if (!HOST.test(host ?? '')) return 'The Host header is not valid.';
  if (coding === undefined) return undefined;
  const isChunked = httpVersion === '1.1' && coding.toLowerCase() === 'chunked';
  return isChunked ? undefined : 'The only transfer coding is chunked, from HTTP/1.1 on.';
}
