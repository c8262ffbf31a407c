// Runs one child of the stack and ends it when the stack ends, even by kill -9: the IPC channel to the
// parent then closes. Plain JavaScript, so that the process starts fast.
import { spawn } from 'node:child_process';
import process from 'node:process';

const { command, args, options, stopSignal, graceMs } = JSON.parse(process.argv[2]);
const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });

function reportAndExit(message) {
  if (!process.connected) process.exit();
  process.send(message, () => process.exit());
}

let isStopping = false;
function stop() {
  if (isStopping) return;
  isStopping = true;
  child.kill(stopSignal);
  setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
}

child.on('spawn', () => process.connected && process.send({ pid: child.pid }, () => {}));
child.on('error', (error) => child.pid === undefined && reportAndExit({ failure: error.message }));
child.on('exit', (code, signal) => reportAndExit({ code, signal }));
process.on('message', (request) => (request === 'kill' ? child.kill('SIGKILL') : stop()));
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
