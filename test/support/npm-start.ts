import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Addresses } from '../../dev/stack/addresses.ts';
import { addressFile } from '../../dev/stack/data-folder.ts';
import { waitUntil } from '../../dev/wait-until.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export type NpmStart = ReturnType<typeof npmStart>;

interface Options {
  env: NodeJS.ProcessEnv;
  /** The data folder as this process sees it. */
  dataDir: string;
  /** A program that runs what follows it, in another machine. */
  within?: readonly string[];
  cwd?: string;
  uid?: number;
}

const root = path.resolve(import.meta.dirname, '../..');

/** `npm start`, on a machine of its own. */
export function npmStart({ env, dataDir, within = [], cwd = root, uid }: Options) {
  const [command = '', ...args] = [...within, 'npm', 'start'];
  const account = uid === undefined ? {} : { uid, gid: uid };
  const npm = spawn(command, args, { cwd, env, detached: true, ...account });
  const chunks: Buffer[] = [];
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString('utf8');
  let isOver = false;
  const ended = new Promise<Ended>((resolve) => {
    npm.once('exit', (code, signal) => {
      isOver = true;
      resolve({ code, signal });
    });
  });
  const read = async () => JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as Addresses;
  const abandon = () => (isOver ? `npm start ended:\n${output()}` : undefined);
  return {
    /** npm itself, in a process group of its own: a signal to it reaches npm alone. */
    npm,
    /** Once it is up; throws with what it printed where it ends instead. */
    isUp: () => waitUntil(read, { what: 'npm start', timeoutMs: 300_000, abandon }),
    ended,
    output,
    /** As Ctrl-C in a terminal does, which reaches the whole group. */
    interrupt() {
      process.kill(-(npm.pid ?? 0), 'SIGINT');
      return ended;
    },
  };
}

async function post(url: string, body: object, token = '') {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

export function requestToken({ baseUrl, clientId, clientSecret }: Addresses) {
  const grant = { grant_type: 'client_credentials', client_id: clientId };
  return post(`${baseUrl}/oauth2/token`, { ...grant, client_secret: clientSecret });
}

export async function postLead(at: Addresses, email: string) {
  const token = String((await requestToken(at)).body['access_token']);
  return post(`${at.baseUrl}/public/leads`, { leadEmails: [email] }, token);
}
