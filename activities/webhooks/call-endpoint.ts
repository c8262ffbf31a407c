import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import {
  FORBIDDEN_ADDRESS,
  toCallError,
  type CallResult,
} from '../../domain/webhooks/call-outcome.ts';
import { isForbiddenAddress } from '../../domain/webhooks/endpoint-address.ts';
import { createNameResolver, type Resolve } from './resolve-name.ts';
import type { Config } from '../../platform/config.ts';
import type { ActivityContext } from '../context.ts';

interface Call {
  url: string;
  allowHttp: boolean;
  headers: Record<string, string>;
  body: string;
  mayBeSent?: () => Promise<boolean>;
}

export interface CallOptions {
  /** For connecting, sending, headers and body together. */
  timeoutMs: number;
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
}

const MAX_IDLE_CONNECTIONS = 4;
/** Longer than any call, so that the timeout closes idle connections only. */
const IDLE_MS = 5000;
/** For each address of a host. Node's 250 ms are too short for a distant host. */
const CONNECT_SHARE = 1 / 6;

export function createCallEndpoint(settings: CallOptions) {
  const { timeoutMs, allowPrivate, resolve = createNameResolver() } = settings;
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    timeout: timeoutMs + IDLE_MS,
    autoSelectFamilyAttemptTimeout: Math.ceil(timeoutMs * CONNECT_SHARE),
  };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  const lookup = createLookup(allowPrivate, resolve);

  async function callEndpoint(call: Call, signal?: AbortSignal): Promise<CallResult> {
    const started = performance.now();
    const latencyMs = () => Math.round(performance.now() - started);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await post(call, signal ? AbortSignal.any([limit, signal]) : limit);
      const { statusCode: status = 0, headers } = response;
      const bodyPrefix = await readBodyPrefix(response);
      const retryAfter = headers['retry-after'] ?? null;
      return { kind: 'responded', status, retryAfter, bodyPrefix, latencyMs: latencyMs() };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof NotSent) throw error;
      const callError = limit.aborted ? 'timeout' : toCallError(error);
      return { kind: 'no_response', error: callError, latencyMs: latencyMs() };
    }
  }

  /** Reuses connections. If the endpoint had closed one, the request is sent again on a new one. */
  async function post(call: Call, signal: AbortSignal): Promise<Answer> {
    const open = request(call, signal);
    try {
      return await sendRequest(open, call);
    } catch (error) {
      if (open.reusedSocket && toCallError(error) === 'connection_closed')
        return post(call, signal);
      throw error;
    }
  }

  function request(call: Call, signal: AbortSignal): http.ClientRequest {
    const url = new URL(call.url);
    const { protocol, hostname } = url;
    const isAllowed = protocol === 'https:' || (protocol === 'http:' && call.allowHttp);
    if (!isAllowed || isForbiddenHost(hostname, allowPrivate)) throw new ForbiddenAddress();
    const send = protocol === 'https:' ? https.request : http.request;
    const { headers } = call;
    return send(url, { method: 'POST', headers, agent: agents[protocol], lookup, signal });
  }

  return callEndpoint;
}

class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
  readonly code = FORBIDDEN_ADDRESS;
}

/** Node looks up no IP address. The URL parser has put it into its plain form. */
function isForbiddenHost(hostname: string, allowPrivate: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isForbiddenAddress(host, allowPrivate);
}

/** The call connects to these very addresses, so that none is resolved again after the check. */
function createLookup(allowPrivate: boolean, resolve: Resolve): LookupFunction {
  async function publicAddresses(hostname: string): Promise<LookupAddress[]> {
    const addresses = await resolve(hostname);
    const isForbidden = addresses.some(({ address }) => isForbiddenAddress(address, allowPrivate));
    if (isForbidden || addresses.length === 0) throw new ForbiddenAddress();
    return addresses;
  }

  return (hostname, options, callback) => {
    publicAddresses(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

type Answer = Readable & Pick<http.IncomingMessage, 'statusCode' | 'headers'>;

/** Includes the headers of 1xx responses before. Longer headers end the call. */
const MOST_HEAD_BYTES = 16_384;

export class NotSent extends Error {
  override name = 'NotSent';
}

async function sendRequest(request: http.ClientRequest, { body, mayBeSent }: Call) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let head = Buffer.alloc(0);
  const keepHead = (chunk: Buffer) => {
    if (head.length > MOST_HEAD_BYTES)
      request.destroy(Object.assign(new Error('too long'), { code: 'HPE_HEADER_OVERFLOW' }));
    else head = Buffer.concat([head, chunk]);
  };
  request.once('socket', (socket) => socket.prependListener('data', keepHead));
  request.once('response', resolve);
  request.once('upgrade', (response, socket) => {
    socket.destroy();
    response.destroy();
    resolve(response);
  });
  // The listener stays after the response: without it, a late error would end the process.
  request.on('error', (error) => {
    const isBroken = ['bad_answer', 'connection_closed'].includes(toCallError(error));
    const answer = isBroken && readBroken(head);
    return answer ? resolve(answer) : reject(error);
  });
  connected(request)
    .then(mayBeSent)
    .then((isDue) => (isDue === false ? request.destroy(new NotSent()) : request.end(body)))
    .catch(reject);
  return promise.finally(() => request.socket?.off('data', keepHead));
}

/** The line of the final status, after any 1xx responses, and its headers. */
const HEAD =
  /^(?:\r?\n)*(?:HTTP\/\d(?:\.\d)? +1\d\d\b[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)*HTTP\/\d(?:\.\d)? +([2-9]\d\d)\b[^\n]*\n((?:[^\r\n][^\n]*\n)*)/;

/** Reads what curl accepts and Node refuses, such as headers with bare line feeds. */
function readBroken(bytes: Buffer): Answer | null {
  const text = bytes.toString('latin1');
  const [, status, headers = ''] = HEAD.exec(text) ?? [];
  const [, retryAfter] = /^retry-after:(.*)/im.exec(headers) ?? [];
  const answer = { statusCode: Number(status), headers: { 'retry-after': retryAfter } };
  return status ? Object.assign(Readable.from([bytes]), answer) : null;
}

/** Node sends no part of a request before its body is given. */
async function connected(request: http.ClientRequest): Promise<void> {
  const [socket] = (await once(request, 'socket')) as [Socket];
  if (request.reusedSocket) return;
  await once(socket, socket instanceof TLSSocket ? 'secureConnect' : 'connect');
}

const PREFIX_BYTES = 1024;

/** For the log. Only the status decides, so a body may break off or never end. */
async function readBodyPrefix(response: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= PREFIX_BYTES) break;
    }
  } catch {
    // What arrived before the body broke off is enough.
  }
  response.destroy();
  const text = Buffer.concat(chunks).subarray(0, PREFIX_BYTES).toString('utf8');
  return text.replaceAll('\u0000', '\uFFFD'); // Postgres stores no NUL in a text
}

export interface WebhookContext extends Pick<ActivityContext, 'database' | 'now' | 'newId'> {
  config: Pick<Config, 'webhooks' | 'secretsKey'>;
  random?: () => number;
  resolve?: Resolve;
  callSlots?: number;
}
