import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes as they are and reads all responses until the other side closes, by a reset too. */
export function exchange(
  url: string,
  bytes: string | Buffer,
  localAddress?: string,
): Promise<RawResponse[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname, localAddress });
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    socket.setTimeout(60_000, () => reject(new Error('The connection stays open.')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      try {
        resolve(parseResponses(Buffer.concat(chunks)));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

/** The first of them; throws where there is none. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawResponse> {
  const [response] = await exchange(url, bytes);
  if (!response) throw new Error('No response.');
  return response;
}

const HEAD_END = '\r\n\r\n';

function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const headLength = rest.indexOf(HEAD_END);
    const [statusLine = '', ...lines] = rest
      .subarray(0, headLength)
      .toString('latin1')
      .split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (headLength < 0 || Number.isNaN(status)) throw new Error(`No response: ${rest.toString()}`);
    const headers = Object.fromEntries(lines.map(toHeader));
    const start = headLength + HEAD_END.length;
    const end = start + Number(headers['content-length'] ?? 0);
    if (status >= 200)
      responses.push({ status, headers, body: rest.subarray(start, end).toString('utf8') });
    rest = rest.subarray(end);
  }
  return responses;
}

function toHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
