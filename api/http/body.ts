import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import getRawBody from 'raw-body';
import { ApiError } from '../errors.ts';

const MAX_BYTES = 256 * 1024;

export interface RequestBody {
  isEmpty: boolean;
  /** Throws 400 for bytes that could not be read, decompressed or decoded: syntax is checked after the quota. */
  text(): string;
}

/** Reads the whole body. Only errors of its size and of its encoding's name are thrown here. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MAX_BYTES) throw tooLarge();
  try {
    const sent = await getRawBody(request, { limit: MAX_BYTES });
    const bytes = await decompress(sent, request.headers['content-encoding']);
    return { isEmpty: bytes.length === 0, text: () => decode(bytes) };
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge();
    if (error instanceof ApiError) throw error;
    return unreadableBody(error);
  }
}

const decompressors = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** The bytes are not of the encoding that the header names. */
class DecompressionError extends Error {
  override name = 'DecompressionError';
}

/** Undoes one content encoding; stops with ERR_BUFFER_TOO_LARGE at the first byte over the limit. */
async function decompress(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return bytes;
  if (!Object.hasOwn(decompressors, name)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.');
  }
  const run = decompressors[name as keyof typeof decompressors];
  return run(bytes, { maxOutputLength: MAX_BYTES }).catch((error: unknown) => {
    throw isTooLarge(error) ? error : new DecompressionError();
  });
}

function unreadableBody(error: unknown): RequestBody {
  const how = error instanceof DecompressionError ? 'decompressed' : 'read';
  return {
    isEmpty: false,
    text() {
      throw new ApiError('BAD_REQUEST', `The body could not be ${how}.`);
    },
  };
}

/** A byte order mark is dropped; bytes that are not UTF-8 are 400. */
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
