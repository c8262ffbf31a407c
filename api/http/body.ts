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
  const { 'content-length': length = 0, 'content-encoding': encoding = '' } = request.headers;
  if (Number(length) > MAX_BYTES) throw tooLarge();
  let step = 'read';
  try {
    const sent = await getRawBody(request, { limit: MAX_BYTES });
    const decompress = decompressorFor(encoding);
    step = 'decompressed';
    const bytes = await decompress(sent, { maxOutputLength: MAX_BYTES });
    return { isEmpty: bytes.length === 0, text: () => decode(bytes) };
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge();
    if (error instanceof ApiError) throw error;
    return { isEmpty: false, text: () => unreadable(`The body could not be ${step}.`) };
  }
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Each stops with ERR_BUFFER_TOO_LARGE at the first byte over the limit. */
const decompressors = new Map<string, Decompress>([
  ['', async (bytes) => bytes],
  ['identity', async (bytes) => bytes],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

function decompressorFor(encoding: string): Decompress {
  const decompress = decompressors.get(encoding.trim().toLowerCase());
  if (decompress) return decompress;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.');
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

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB.');
}
