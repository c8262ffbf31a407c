import dns from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { CallResult } from '../../domain/webhooks/outcome.ts';
import { isForbiddenAddress } from '../../domain/webhooks/forbidden-address.ts';
import { errorOf, ForbiddenAddress } from './call-error.ts';
import { createLookup } from './lookup.ts';
import type { Resolve } from './lookup.ts';
import { readHead } from './read-body-prefix.ts';

export interface Call {
  url: string;
  allowHttp: boolean;
  headers: Record<string, string>;
  body: string;
}

export interface CallOptions {
  /** For connecting, sending, headers and body together. */
  timeoutMs: number;
  allowPrivate: boolean;
  /** The system's resolver unless given. */
  resolve?: Resolve;
}

export type CallEndpoint = (call: Call, signal?: AbortSignal) => Promise<CallResult>;

const MAX_IDLE_CONNECTIONS = 4;
/** Longer than a call may take, so that only an idle connection meets it. */
const IDLE_MS = 5000;

/** POSTs to an endpoint. Follows no redirect, connects to no address that is not public. */
export function createCallEndpoint(settings: CallOptions): CallEndpoint {
  const { timeoutMs, allowPrivate, resolve = dns.lookup } = settings;
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    timeout: timeoutMs + IDLE_MS,
  };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  const lookup = createLookup(allowPrivate, resolve);

  function request(call: Call, signal: AbortSignal): http.ClientRequest {
    const url = new URL(call.url);
    const { protocol, hostname } = url;
    if (protocol !== 'https:' && !(protocol === 'http:' && call.allowHttp))
      throw new ForbiddenAddress();
    if (isForbiddenHost(hostname, allowPrivate)) throw new ForbiddenAddress();
    const send = protocol === 'https:' ? https.request : http.request;
    return send(url, {
      method: 'POST',
      headers: call.headers,
      agent: agents[protocol],
      lookup,
      signal,
    });
  }

  /** A connection is kept for the next event; one that the endpoint closed meanwhile is opened anew. */
  async function post(call: Call, signal: AbortSignal): Promise<http.IncomingMessage> {
    const open = request(call, signal);
    try {
      return await answerOf(open, call.body);
    } catch (error) {
      if (open.reusedSocket && errorOf(error) === 'connection_closed') return post(call, signal);
      throw error;
    }
  }

  return async (call, signal) => {
    const started = performance.now();
    const latencyMs = () => Math.round(performance.now() - started);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await post(call, signal ? AbortSignal.any([limit, signal]) : limit);
      const { statusCode: status = 0, headers } = response;
      const head = await readHead(response);
      return {
        kind: 'answered',
        status,
        retryAfter: headers['retry-after'] ?? null,
        head,
        latencyMs: latencyMs(),
      };
    } catch (error) {
      signal?.throwIfAborted();
      return {
        kind: 'no_answer',
        error: limit.aborted ? 'timeout' : errorOf(error),
        latencyMs: latencyMs(),
      };
    }
  };
}

/** Node calls no lookup for an IP address in the URL, which the URL parser has put into its plain form. */
function isForbiddenHost(hostname: string, allowPrivate: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isForbiddenAddress(host, allowPrivate);
}

function answerOf(request: http.ClientRequest, body: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      response.destroy();
      resolve(response);
    });
    // Stays for good: what breaks after the answer is no concern, but must not go unhandled.
    request.on('error', reject);
    request.end(body);
  });
}
