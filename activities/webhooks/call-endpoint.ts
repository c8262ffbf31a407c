import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  BAD_ANSWER,
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
  /** Asked once connected, before anything is sent. */
  mayBeSent?: () => Promise<boolean>;
}

export interface CallOptions {
  /** Covers connecting, sending, headers and body together. */
  timeoutMs: number;
  allowPrivate: boolean;
  /** The machine's name servers unless given. */
  resolve?: Resolve | undefined;
}

const MAX_IDLE_CONNECTIONS = 4;
/** Longer than the longest call, so that the timeout closes idle connections only. */
const IDLE_MS = 5000;
/**
 * The share of a call's time in which one of several addresses may be connected to before the next one is tried. Node's
 * 250 ms end every connection to a far host, and any connection while the process is busy.
 */
const CONNECT_SHARE = 1 / 6;

/** POSTs to an endpoint. Follows no redirects and connects to public addresses only. */
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

  function request(call: Call, signal: AbortSignal): http.ClientRequest {
    const url = new URL(call.url);
    const { protocol, hostname } = url;
    const isAllowed = protocol === 'https:' || (protocol === 'http:' && call.allowHttp);
    if (!isAllowed || isForbiddenHost(hostname, allowPrivate)) throw new ForbiddenAddress();
    const send = protocol === 'https:' ? https.request : http.request;
    const { headers } = call;
    return send(url, { method: 'POST', headers, agent: agents[protocol], lookup, signal });
  }

  /** Reuses connections. If the endpoint had closed one, the request is sent again on a new one. */
  async function post(call: Call, signal: AbortSignal): Promise<http.IncomingMessage> {
    const open = request(call, signal);
    try {
      return await sendRequest(open, call);
    } catch (error) {
      if (open.reusedSocket && toCallError(error) === 'connection_closed')
        return post(call, signal);
      throw error;
    }
  }

  return async (call: Call, signal?: AbortSignal): Promise<CallResult> => {
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
  };
}

class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
  readonly code = FORBIDDEN_ADDRESS;
}

/** Node calls no lookup for an IP address in the URL, which the URL parser has put into its plain form. */
function isForbiddenHost(hostname: string, allowPrivate: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isForbiddenAddress(host, allowPrivate);
}

/** Refuses forbidden addresses among the resolved addresses that the call then connects to. */
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

/** How many 1xx responses an endpoint may send first. More end the call. */
const MOST_INFORMATIONAL = 8;

class TooManyInformational extends Error {
  readonly code = BAD_ANSWER;
}

export class NotSent extends Error {
  override name = 'NotSent';
}

async function sendRequest(request: http.ClientRequest, { body, mayBeSent }: Call) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  request.once('response', resolve);
  request.once('upgrade', (response, socket) => {
    socket.destroy();
    response.destroy();
    resolve(response);
  });
  let informational = 0;
  request.on('information', () => {
    informational += 1;
    if (informational > MOST_INFORMATIONAL) request.destroy(new TooManyInformational());
  });
  // The listener stays after the response: an error event without one would end the process.
  request.on('error', reject);
  connected(request)
    .then(mayBeSent)
    .then((isDue) => (isDue === false ? request.destroy(new NotSent()) : request.end(body)))
    .catch(reject);
  return promise;
}

/** Node sends nothing of a request before its body is given. */
async function connected(request: http.ClientRequest): Promise<void> {
  const [socket] = (await once(request, 'socket')) as [Socket];
  if (request.reusedSocket) return;
  await once(socket, socket instanceof TLSSocket ? 'secureConnect' : 'connect');
}

const PREFIX_BYTES = 1024;

/**
 * Reads the first KiB of the body for the log of attempts, then drops the connection. The status alone decides the
 * outcome, so a body that breaks off or never ends changes nothing.
 */
async function readBodyPrefix(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= PREFIX_BYTES) break;
    }
  } catch {
    // The body broke off; the prefix is what arrived.
  }
  response.destroy();
  const text = Buffer.concat(chunks).subarray(0, PREFIX_BYTES).toString('utf8');
  return text.replaceAll('\u0000', '\uFFFD'); // Postgres stores no NUL in a text
}

export interface WebhookContext extends Pick<ActivityContext, 'database' | 'now' | 'newId'> {
  config: Pick<Config, 'webhooks' | 'secretsKey'>;
  /** Spreads the retries by 0 to 1. Defaults to Math.random. */
  random?: () => number;
  resolve?: Resolve;
  callSlots?: number;
}
