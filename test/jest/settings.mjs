// Loaded first in each test process. jest-light-runner sends its settings to every process that was started as soon as
// the first one asks for them, and only once: a process that does not listen yet would wait for them for good.
// They are kept here until it asks.
import process from 'node:process';

const { send } = process;
let settings;

if (send) {
  process.on('message', (message) => {
    if (message?.type === 'jest-light-runner-worker-data') settings = message;
  });
  process.send = (message, ...options) => {
    if (message !== 'jest-light-runner-get-worker-data' || !settings)
      return send.call(process, message, ...options);
    process.emit('message', settings);
    return true;
  };
}
