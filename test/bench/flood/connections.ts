import { connect } from 'node:net';
import process from 'node:process';

// Holds as many connections from 127.0.0.2 as are wanted: it reads nothing, and replaces those that are closed.
const [url = '', wanted, bytes = ''] = process.argv.slice(2);
const { hostname: host, port } = new URL(url);

function open(): void {
  const socket = connect({
    host,
    port: Number(port),
    localAddress: '127.0.0.2',
    allowHalfOpen: true,
  });
  socket.on('connect', () => {
    if (bytes) socket.pause().write(bytes);
  });
  socket.on('end', () => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(open, 1000));
}

for (let count = 0; count < Number(wanted); count += 1) open();
process.send?.('under way');
process.on('disconnect', () => process.exit());
