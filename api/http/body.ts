import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ApiError } from '../errors.ts';
import { DecompressionError, decompress } from './decompress.ts';

const MAX_BYTES = 256 * 1024;

export interface SentBody {
  isEmpty: boolean;
  /** Throws 400 for bytes that could not be read, unpacked or decoded: faults of syntax come late. */
  text(): string;
}

/** Reads the body whole. What is wrong with its size or encoding is thrown here, before all else. */
export async function readBody(request: IncomingMessage): Promise<SentBody> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MAX_BYTES) throw tooLarge();
  try {
    const packed = await getRawBody(request, { limit: MAX_BYTES });
    const bytes = await decompress(packed, request.headers['content-encoding'], MAX_BYTES);
    return { isEmpty: bytes.length === 0, text: () => decode(bytes) };
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge();
    if (error instanceof ApiError) throw error;
    return unreadable(error);
  }
}

function unreadable(error: unknown): SentBody {
  const how = error instanceof DecompressionError ? 'unpacked' : 'read';
  return {
    isEmpty: false,
    text() {
      throw new ApiError('BAD_REQUEST', `The body could not be ${how}.`);
    },
  };
}

/** A byte order mark is passed over; anything that is not UTF-8 is refused. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid UTF-8.');
  }
}

function isTooLarge(error: unknown): boolean {
  const { type, code } = error as { type?: string; code?: string };
  return type === 'entity.too.large' || code === 'ERR_BUFFER_TOO_LARGE';
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB.');
}
