import process from 'node:process';

// With the run ends each of its processes, whatever a test left open in it.
process.on('disconnect', () => process.exit());
