import {
  connect,
  constants,
  createSecureServer,
  createServer,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { status } from '@grpc/grpc-js';
import { listenOnLoopback } from './listen.ts';

export interface GrpcCall {
  /** Such as `ListSearchAttributes`. */
  method: string;
  headers: IncomingHttpHeaders;
}

/** The status of a call that the proxy answers itself. */
export type Refusal = Extract<
  keyof typeof status,
  'PERMISSION_DENIED' | 'UNAUTHENTICATED' | 'UNIMPLEMENTED' | 'DEADLINE_EXCEEDED' | 'CANCELLED'
>;

export interface GrpcProxyOptions {
  refuse?: (call: GrpcCall) => Refusal | null;
  /** Speaks TLS where it is given. */
  tls?: SecureServerOptions;
}

export type GrpcProxy = Awaited<ReturnType<typeof startGrpcProxy>>;

/** Stands before a Temporal server as an authorizer would: passes calls on, or refuses them. */
export async function startGrpcProxy(address: string, { refuse, tls }: GrpcProxyOptions = {}) {
  const server: Http2Server = tls ? createSecureServer(tls) : createServer();
  const sessions = new Set<ServerHttp2Session>();
  const upstreams = new WeakMap<Http2Session, ClientHttp2Session>();
  // The server closes what is idle or old: each client's connection ends with its own.
  server.on('session', (session) => {
    const upstream = connect(`http://${address}`);
    upstream.on('error', () => undefined);
    upstream.on('close', () => session.close());
    upstreams.set(session, upstream);
    sessions.add(session.on('error', () => undefined));
    session.on('close', () => {
      sessions.delete(session);
      upstream.destroy();
    });
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const method = String(headers[':path']).split('/').pop() ?? '';
    const refusal = refuse?.({ method, headers });
    const upstream = stream.session && upstreams.get(stream.session);
    if (refusal) answer(stream, refusal);
    else if (!upstream || upstream.closed) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else passOn(stream, upstream.request(forwarded(headers)));
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    address: `127.0.0.1:${port}`,
    async stop(): Promise<void> {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const forwarded = ({ ':authority': _, ...headers }: IncomingHttpHeaders) => headers;

function answer(stream: ServerHttp2Stream, refusal: Refusal): void {
  const headers = {
    'content-type': 'application/grpc',
    'grpc-status': String(status[refusal]),
    'grpc-message': 'Request unauthorized.',
  };
  stream.respond(headers, { endStream: true });
}

function passOn(near: ServerHttp2Stream, far: ClientHttp2Stream): void {
  let trailers: IncomingHttpHeaders = {};
  near.pipe(far);
  near.on('close', () => far.close(near.rstCode));
  far.on('error', () => near.close());
  far.on('trailers', (last) => (trailers = last));
  far.on('response', (headers, flags) => {
    if (near.destroyed) return;
    const isAll = Boolean(flags & END_STREAM);
    near.respond(headers, { endStream: isAll, waitForTrailers: !isAll });
    if (isAll) return;
    near.on('wantTrailers', () => near.sendTrailers(trailers));
    far.pipe(near);
  });
}

const END_STREAM = 0x1;
