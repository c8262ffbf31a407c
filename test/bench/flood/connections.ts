import { connect } from 'node:net';
import process from 'node:process';
import type { FloodProgram } from './start.ts';

// Holds as many connections as are wanted: it reads nothing, and opens those that are closed again, where that is wanted.
const program = JSON.parse(process.argv[2] ?? '') as FloodProgram;
const { url, connections, addresses, opensAgain, bytes, blanks = 0 } = program;
const { hostname: host, port } = new URL(url);
const padding = Buffer.alloc(blanks, ' ');

function open(index: number): void {
  const socket = connect({
    host,
    port: Number(port),
    localAddress: `127.0.0.${2 + (index % addresses)}`,
    allowHalfOpen: true,
  });
  socket.on('connect', () => {
    if (bytes) socket.pause().write(bytes);
    if (blanks > 0) socket.write(padding);
  });
  socket.on('end', () => socket.destroy());
  socket.on('error', () => undefined);
  if (opensAgain) socket.on('close', () => setTimeout(() => open(index), 1000));
}

for (let index = 0; index < connections; index += 1) open(index);
process.send?.('under way');
process.on('disconnect', () => process.exit());
