// Stands between the stack and one child, so that the child ends when the stack does, even by
// kill -9: the channel to the parent closes and the child is stopped. Plain JavaScript: it starts
// once per child and should cost little.
import { spawn } from 'node:child_process';
import process from 'node:process';

const { command, args, options, stopSignal, graceMs } = JSON.parse(process.argv[2]);
const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });

function tellAndLeave(message) {
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
child.on('error', (error) => child.pid === undefined && tellAndLeave({ failure: error.message }));
child.on('exit', (code, signal) => tellAndLeave({ code, signal }));
process.on('message', (wish) => (wish === 'kill' ? child.kill('SIGKILL') : stop()));
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
