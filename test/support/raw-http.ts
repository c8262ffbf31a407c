import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  head: string;
  text: string;
}

/** Sends bytes as they are and reads until the other side ends: for what no client library would send. */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  timeoutMs = 60_000,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer in time')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => resolve(parseAnswer(Buffer.concat(chunks).toString('utf8'))));
  });
}

function parseAnswer(all: string): RawAnswer {
  const [head = '', ...rest] = all.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') };
}

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
