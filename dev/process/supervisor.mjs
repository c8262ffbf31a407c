// Runs a program of the stack and exits as the program does. Stops the program when the IPC channel closes, so even after
// a SIGKILL of the stack. Plain JavaScript, so that the process starts fast.
import { spawn } from 'node:child_process';
import process from 'node:process';

const { command, args, stopSignal, graceMs, ...options } = JSON.parse(process.argv[2]);
const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
const report = (message, done = () => {}) => process.connected && process.send(message, done);

let isStopping = false;
function stop() {
  if (isStopping) return;
  isStopping = true;
  child.kill(stopSignal);
  setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
}

child.on('spawn', () => report({ pid: child.pid }));
child.on('error', ({ message }) => report({ failure: message }, () => process.exit(1)));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
process.on('message', (request) => (request === 'kill' ? child.kill('SIGKILL') : stop()));
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
