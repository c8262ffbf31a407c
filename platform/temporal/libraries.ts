import { createRequire } from 'node:module';
import type * as Envconfig from '@temporalio/envconfig';
import type * as Toml from 'smol-toml';

// Most commands of leadctl are given an address and a namespace alone, and need neither.
const load = createRequire(import.meta.url);

export const loadEnvconfig = () => load('@temporalio/envconfig') as typeof Envconfig;
export const loadToml = () => load('smol-toml') as typeof Toml;
