import process from 'node:process';

type Left =
  | 'TEST_DATABASE_URL'
  | 'TEST_SERVICE_URL'
  | 'TEST_TEMPORAL_ADDRESS'
  | 'TEST_WORKFLOWS'
  | 'TEST_FOLDER';

/** What test/setup.mjs left for the test files. */
export function fromSetup(name: Left): string {
  // eslint-disable-next-line no-restricted-properties -- how jest hands it over
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: this test belongs to the jest project "parts".`);
}
