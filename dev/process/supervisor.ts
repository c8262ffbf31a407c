// Ends the programs of its parent as soon as the parent has ended, even by SIGKILL.
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { endLeftover } from './pid-file.ts';

const lines = (await text(process.stdin)).trimEnd().split('\n');
const programs = lines.map((line) => JSON.parse(line) as { name: string; mark: string });
await Promise.all(programs.map(({ name, mark }) => endLeftover(name, mark)));
