import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import getRawBody from 'raw-body';
import { ApiError, tooBusy } from '../errors.ts';

/** `parse.ts` limits the depth. */
const MAX_BYTES = 256 * 1024;
/** Token calls and ordinary enquiries need no memory budget. */
const SMALL_BYTES = 4096;

const ROOM = { bytes: 64 * 1024 * 1024, bytesOfSender: 16 * 1024 * 1024 };

type BodyRoom = ReturnType<typeof createBodyRoom>;

export function createBodyRoom(room = ROOM) {
  const ofSender = new Map<string, number>();
  let all = 0;

  function change(sender: string, by: number): void {
    all += by;
    const bytes = (ofSender.get(sender) ?? 0) + by;
    if (bytes > 0) ofSender.set(sender, bytes);
    else ofSender.delete(sender);
  }

  return {
    take(sender: string, bytes: number): boolean {
      const taken = ofSender.get(sender) ?? 0;
      if (all + bytes > room.bytes || taken + bytes > room.bytesOfSender) return false;
      change(sender, bytes);
      return true;
    },
    release: (sender: string, bytes: number) => change(sender, -bytes),
  };
}

/** Unauthenticated callers may come from any number of networks, and have a budget of their own. */
export type BodyRooms = ReturnType<typeof createBodyRooms>;

export function createBodyRooms() {
  return { known: createBodyRoom(), strangers: createBodyRoom() };
}

/** A chunked body counts as the longest one allowed. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] ? MAX_BYTES : Number(headers['content-length'] ?? 0);
}

function takeRoom(response: ServerResponse, room: BodyRoom, sender: string, bytes: number): void {
  if (bytes <= SMALL_BYTES || bytes > MAX_BYTES) return;
  if (response.destroyed || !room.take(sender, bytes))
    throw tooBusy('Too many long bodies are under way.');
  response.once('close', () => room.release(sender, bytes));
}

export interface RequestBody {
  isEmpty: boolean;
  /** Throws 400 for an unreadable body: its syntax is checked after the quota. */
  text(): string;
}

/** Throws only for the size, the memory budget and the name of the encoding. */
export async function readBody(
  response: ServerResponse,
  room: BodyRoom,
  sender: string,
): Promise<RequestBody> {
  const { req: request } = response;
  const { 'content-length': length = 0, 'content-encoding': encoding } = request.headers;
  if (Number(length) > MAX_BYTES) throw tooLarge();
  takeRoom(response, room, sender, announcedBytes(request));
  let step = 'read';
  try {
    const sent = await getRawBody(request, { limit: MAX_BYTES });
    const decompress = decompressorFor(encoding || 'identity');
    step = 'decompressed';
    const bytes = await decompress(sent, { maxOutputLength: MAX_BYTES });
    // A few hundred bytes may decompress to the longest body, which waits in memory for its turn.
    if (bytes !== sent) takeRoom(response, room, sender, bytes.length);
    return { isEmpty: bytes.length === 0, text: () => decode(bytes) };
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge();
    if (error instanceof ApiError) throw error;
    return { isEmpty: false, text: () => unreadable(`The body could not be ${step}.`) };
  }
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Some senders omit the wrapper of zlib (RFC 9110, 8.4.1.2), whose first byte holds the method, 8. */
const inflateAny: Decompress = (bytes, options) =>
  promisify((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(bytes, options);

/** Each stops with ERR_BUFFER_TOO_LARGE at the first byte over the limit. */
const decompressors = new Map<string, Decompress>([
  ['identity', async (bytes) => bytes],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', inflateAny],
  ['br', promisify(brotliDecompress)],
]);

function decompressorFor(encoding: string): Decompress {
  const decompress = decompressors.get(encoding.trim().toLowerCase());
  if (decompress) return decompress;
  const headers = { 'Accept-Encoding': 'gzip, deflate, br, identity' };
  const message = `Content-Encoding ${encoding.slice(0, 64)} is not supported: use ${headers['Accept-Encoding']}.`;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', message, { headers });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return unreadable('The body is not valid UTF-8.');
  }
}

function unreadable(message: string): never {
  throw new ApiError('BAD_REQUEST', message);
}

function isTooLarge(error: unknown): boolean {
  const { type, code } = error as { type?: string; code?: string };
  return type === 'entity.too.large' || code === 'ERR_BUFFER_TOO_LARGE';
}

const tooLarge = () => new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB.');
