// Runs in each test process before its test files. Modules of Node itself find jest's functions as globals;
// this lets test files import them, typed, from '@jest/globals'.
import { registerHooks } from 'node:module';

const url = new URL('jest-functions.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url, shortCircuit: true } : next(specifier, context),
});
