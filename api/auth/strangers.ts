import { setImmediate } from 'node:timers/promises';
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { hashSecret } from '../../domain/clients/credentials.ts';
import { callerNetwork } from '../http/caller-address.ts';
import { trustConnection } from '../http/connections.ts';
import { createRequestLimiter, type LimitRequests } from './request-limiter.ts';

const PLACES = 4;
/** Each network has a slot, and there may be any number of networks. */
const MOST_AT_ONCE = 6;
const MAX_KNOWN = 10_000;
const KNOWN_MS = 10 * 60_000;

export type Strangers = ReturnType<typeof createStrangers>;

/** A request with a recently valid token does not wait for unauthenticated callers. */
export function createStrangers() {
  const known = new LRUCache<string, string>({
    max: MAX_KNOWN,
    ttl: KNOWN_MS,
    updateAgeOnGet: true,
  });
  const keyOf = (tokenHash: Buffer) => tokenHash.toString('base64');
  const ofNetwork = createRequestLimiter({ places: PLACES });
  const ofAll = createRequestLimiter({ places: MOST_AT_ONCE });
  const takeTurn: LimitRequests = (turn, work) =>
    ofNetwork(turn, (release) =>
      ofAll({ ...turn, clientId: 'strangers' }, (releaseAll) =>
        work(() => {
          releaseAll();
          release();
        }),
      ),
    );
  return {
    clientOf: (tokenHash: Buffer) => known.get(keyOf(tokenHash)),
    remember: (tokenHash: Buffer, clientId: string) => void known.set(keyOf(tokenHash), clientId),
    forget: (tokenHash: Buffer) => void known.delete(keyOf(tokenHash)),
    takeTurn,
  };
}

export interface BearerToken {
  token: string;
  tokenHash: Buffer;
}

/** Ignores the case of the scheme (RFC 6750). Null for two headers: a proxy may have checked the other one. */
export function bearerToken({ req, state }: Koa.Context): BearerToken | null {
  if (state.bearer !== undefined) return state.bearer;
  const [header = '', ...others] = req.headersDistinct.authorization ?? [];
  const token = others.length === 0 && /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
  const bearer = token ? { token, tokenHash: hashSecret(token) } : null;
  state.bearer = bearer;
  return bearer;
}

interface Door {
  strangers: Strangers;
  config: { trustedProxies: number };
}

export function senderOf({ strangers, config }: Door, http: Koa.Context) {
  const bearer = bearerToken(http);
  const client = bearer && strangers.clientOf(bearer.tokenHash);
  if (client) return { sender: client, isKnown: true };
  return { sender: callerNetwork(http.req, config.trustedProxies), isKnown: false };
}

/** In turn by network, until a valid token or secret was shown. `alsoKnown`: for routes that check no token. */
export function letStrangersInTurn(door: Door, { alsoKnown = false } = {}): Koa.Middleware {
  return async (http, next) => {
    const { sender, isKnown } = senderOf(door, http);
    if (isKnown && !alsoKnown) return next();
    const turn = { clientId: sender, isGone: () => http.req.socket.destroyed };
    await door.strangers.takeTurn(turn, async (release) => {
      http.state.endTurn = release;
      await setImmediate(); // lets requests of known clients run between two strangers
      await next();
    });
  };
}

export function recognise(
  door: Door,
  http: Koa.Context,
  { tokenHash, clientId }: { tokenHash: Buffer; clientId: string },
): void {
  door.strangers.remember(tokenHash, clientId);
  trustConnection(http.req, http.res);
  http.state.endTurn?.();
}
