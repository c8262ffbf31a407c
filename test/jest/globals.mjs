// Runs in each test process before its test files, which import jest's functions, typed, from '@jest/globals'.
// The runner leaves them in the global object.
import { registerHooks } from 'node:module';
import process from 'node:process';

const url = new URL('functions.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url, shortCircuit: true } : next(specifier, context),
});

// With the run ends each of its processes, whatever a test left open in it.
process.on('disconnect', () => process.exit());
