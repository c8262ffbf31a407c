import type Koa from 'koa';
import { ApiError } from '../errors.ts';
import type { SentBody } from './body.ts';
import { parseObject } from './parse-body.ts';
import { parseForm } from './parameters.ts';
import type { Route } from './route.ts';

const FORM = 'application/x-www-form-urlencoded';

type Parse = (text: string) => Record<string, unknown>;

/** How to read the body, by what its header says it is; throws 415 for what the route does not take. */
export function parserFor(route: Route, request: Koa.Request, body: SentBody): Parse {
  const type = request.type.toLowerCase();
  if (type === '' && body.isEmpty) return parseObject;
  if (isUtf8(request.charset)) {
    if (type === 'application/json') return parseObject;
    if (type === FORM && route.alsoAccepts?.includes(FORM)) return parseForm;
  }
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8.');
}

function isUtf8(charset: string): boolean {
  return charset === '' || /^utf-?8$/i.test(charset);
}
