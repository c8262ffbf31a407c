import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ApiError } from '../errors.ts';

const decompressors = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** The bytes are not what their encoding promises. */
export class DecompressionError extends Error {
  override name = 'CannotUnpack';
}

/** Takes off one content encoding; stops, with ERR_BUFFER_TOO_LARGE, at the first byte over the limit. */
export async function decompress(
  bytes: Buffer,
  encoding = 'identity',
  maxOutputLength: number,
): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return bytes;
  if (!Object.hasOwn(decompressors, name)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.');
  }
  try {
    return await decompressors[name as keyof typeof decompressors](bytes, { maxOutputLength });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new DecompressionError();
  }
}
