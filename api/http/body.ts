import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import getRawBody from 'raw-body';
import { ApiError, tooBusy } from '../errors.ts';

/** The depth of its JSON is limited in `parse.ts`. */
const MAX_BYTES = 256 * 1024;
/** A body up to this length takes no room: a token call, an ordinary enquiry. */
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

/** One room for senders with a token that was valid lately and one for strangers, who come from any number of networks. */
export type BodyRooms = ReturnType<typeof createBodyRooms>;

export function createBodyRooms() {
  return { known: createBodyRoom(), strangers: createBodyRoom() };
}

/** The length that the headers announce; a chunked body counts as the longest one allowed. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] ? MAX_BYTES : Number(headers['content-length'] ?? 0);
}

/** Takes room for a body until the response was sent. Throws 503 where there is none, or nobody waits any more. */
function takeRoom(response: ServerResponse, room: BodyRoom, sender: string, bytes: number): void {
  if (bytes <= SMALL_BYTES || bytes > MAX_BYTES) return;
  if (response.destroyed || !room.take(sender, bytes))
    throw tooBusy('Too many long bodies are under way.');
  response.once('close', () => room.release(sender, bytes));
}

export interface RequestBody {
  isEmpty: boolean;
  /** Throws 400 for bytes that could not be read, decompressed or decoded: syntax is checked after the quota. */
  text(): string;
}

/** Reads the whole body. Only errors of its size, of room for it and of its encoding's name are thrown here. */
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
    // Some hundred bytes may decompress to the longest body, which waits in memory for its turn.
    if (bytes !== sent) takeRoom(response, room, sender, bytes.length);
    return { isEmpty: bytes.length === 0, text: () => decode(bytes) };
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge();
    if (error instanceof ApiError) throw error;
    return { isEmpty: false, text: () => unreadable(`The body could not be ${step}.`) };
  }
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Some senders leave out the wrapper of zlib (RFC 9110, 8.4.1.2), whose first byte holds the method, 8. */
const inflateAny: Decompress = (bytes, options) =>
  promisify((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(bytes, options);

/** The decompressors by encoding. Each stops with ERR_BUFFER_TOO_LARGE at the first byte over the limit. */
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

/** A byte order mark is dropped; bytes that are not UTF-8 are 400. */
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
