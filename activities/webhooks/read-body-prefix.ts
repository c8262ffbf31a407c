import type { IncomingMessage } from 'node:http';

const HEAD_BYTES = 1024;

/**
 * The first KiB of an answer, for the log; then the connection is dropped, however much is left. The
 * status was the answer already: a body that breaks off or never ends changes nothing.
 */
export async function readHead(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= HEAD_BYTES) break;
    }
  } catch {
    // Broken off: what came is kept.
  }
  response.destroy();
  return storable(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
}

/** Postgres keeps no NUL in a text. */
function storable(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\uFFFD');
}
