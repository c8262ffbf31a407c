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
