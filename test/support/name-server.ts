import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

/** What a name stands for at one question. */
export type Records = readonly string[] | 'silent' | 'unknown' | 'refused';

export type NameServer = Awaited<ReturnType<typeof startNameServer>>;

interface Answers {
  answers: readonly Records[];
  asked: Map<number, number>;
}

const HEADER_BYTES = 12;
const TYPES: Record<number, string> = { 1: 'A', 28: 'AAAA' };
const EVERY_NAME = '*';
const CODES = { unknown: 3, refused: 5 } as const;

/** A DNS server over UDP that answers questions for A and AAAA. */
export async function startNameServer() {
  const names = new Map<string, Answers>();
  const questions: string[] = [];
  const unanswered: (() => void)[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = readQuestion(query);
    questions.push(`${TYPES[type]} ${name}`);
    const records = takeNext(names.get(name) ?? names.get(EVERY_NAME), type);
    const send = (answer = records) =>
      socket.send(response(query.subarray(0, 2), { question, type, answer }), port, address);
    if (records === 'silent') unanswered.push(() => send('refused'));
    else send();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** The questions so far, as `A hooks.shop.example`. */
    questions,
    /** The addresses of a name. Each question of a type takes the next, the last one stays. */
    setAnswers(answers: readonly Records[], { name = EVERY_NAME } = {}) {
      names.set(name, { answers: [...answers], asked: new Map() });
    },
    /** Refuses each question that it has left unanswered. */
    refuseAll: () => unanswered.splice(0).forEach((refuse) => refuse()),
    stop: () => void socket.close(),
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]; length; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(HEADER_BYTES, at + 5);
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), question };
}

function takeNext(of: Answers | undefined, type: number): Records {
  if (!of) return 'unknown';
  const { answers, asked } = of;
  const turn = asked.get(type) ?? 0;
  asked.set(type, turn + 1);
  return answers[Math.min(turn, answers.length - 1)] ?? [];
}

interface Response {
  question: Buffer;
  type: number;
  answer: Records;
}

function response(id: Buffer, { question, type, answer }: Response) {
  const code = typeof answer === 'string' ? CODES[answer as keyof typeof CODES] : 0;
  const family = TYPES[type] === 'A' ? 'ipv4' : 'ipv6';
  const records = (typeof answer === 'string' ? [] : answer)
    .map((text) => ipaddr.parse(text))
    .filter((address) => address.kind() === family)
    .map((address) => {
      const data = Buffer.from(address.toByteArray());
      // A pointer to the question's name, type, class IN, time to live, length.
      const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([head, data]);
    });
  const counts = Buffer.from([0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([id, counts, question, ...records]);
}
