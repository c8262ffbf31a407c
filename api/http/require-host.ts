import type Koa from 'koa';
import { ApiError } from '../errors.ts';

/** Node's own refusal of a request without Host would have no envelope (RFC 9112, 3.2). */
export const requireHost: Koa.Middleware = async (http, next) => {
  if (http.req.headers.host === undefined && http.req.httpVersion === '1.1') {
    throw new ApiError('BAD_REQUEST', 'The Host header is missing.');
  }
  await next();
};
