// Jest's functions, which its runner leaves in the global object.
import type * as functions from '@jest/globals';

declare global {
  const afterAll: typeof functions.afterAll;
  const afterEach: typeof functions.afterEach;
  const beforeAll: typeof functions.beforeAll;
  const beforeEach: typeof functions.beforeEach;
  const describe: typeof functions.describe;
  const expect: typeof functions.expect;
  const it: typeof functions.it;
  const jest: typeof functions.jest;
  const test: typeof functions.test;
}
