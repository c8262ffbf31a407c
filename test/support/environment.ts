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

/** The workflows that test/setup.mjs bundled; none in a benchmark, whose workers bundle their own. */
export function bundledWorkflows(): string | undefined {
  // eslint-disable-next-line no-restricted-properties -- how jest hands it over
  return process.env['TEST_WORKFLOWS'];
}

/** How a developer has a model played longer, or once more. */
export function playSettings(): { sequences?: number; seed?: number } {
  // eslint-disable-next-line no-restricted-properties -- how jest hands it over
  const { SEQUENCES: sequences, SEED: seed } = process.env;
  return {
    ...(sequences && { sequences: Number(sequences) }),
    ...(seed && { seed: Number(seed) }),
  };
}

/** `env` for a program of the service, which then compiles its modules no more than other programs of the tests did. */
export function withCompileCache(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // eslint-disable-next-line no-restricted-properties -- dev/launch.mjs sets it
  return { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env };
}
