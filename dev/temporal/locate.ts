import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import pTimeout from 'p-timeout';
import { cacheFolder } from '../cache-folder.ts';
import type { Progress } from '../progress.ts';
import { acquire, isTemporalCli, onSearchPath, type Acquisition } from './acquire.ts';
import { BUILT_VERSION, buildTemporal, downloadWithSdk } from './get-cli.ts';

/** Finds a Temporal server on this machine, or downloads or builds one. */
export async function locateTemporal(
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<TemporalSource> {
  const bin = path.join(cacheFolder(env), 'bin');
  const downloaded = path.join(bin, 'temporal-downloaded');
  const built = path.join(bin, `temporal-${BUILT_VERSION}`);
  const cached = async () => (await usable(built)) ?? usable(downloaded);

  const get = (title: string, target: string, produce: Acquisition['produce']) => () =>
    acquire({ title, target, produce, cached }, progress);
  return findServer(
    { address: env['TEMPORAL_ADDRESS'], binary: env['TEMPORAL_BINARY'] },
    {
      isUsable: isTemporalCli,
      onPath: async () => usable(await onSearchPath('temporal', env['PATH'] ?? '')),
      cached,
      download: get('Downloading the Temporal server', downloaded, (target) =>
        downloadWithSdk('dev-server', target, env),
      ),
      build: get('Building the Temporal server (once, some five minutes)', built, (target) =>
        buildTemporal(target, env),
      ),
    },
  );
}

async function usable(binary: string | null): Promise<string | null> {
  return binary !== null && (await isTemporalCli(binary)) ? binary : null;
}

/** The address of a running Temporal server, or a program to start one with. */
export type TemporalSource =
  { kind: 'address'; address: string } | { kind: 'binary'; path: string };

/** Each returns the path of a usable program, or null; `download` and `build` may take minutes. */
export interface Probes {
  isUsable(path: string): Promise<boolean>;
  onPath(): Promise<string | null>;
  cached(): Promise<string | null>;
  download(): Promise<string | null>;
  build(): Promise<string | null>;
}

const NOT_FOUND =
  'No Temporal server was found, and none could be downloaded or built. One of these helps:\n' +
  '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH;\n' +
  '  - set TEMPORAL_BINARY to the path of the Temporal CLI;\n' +
  '  - set TEMPORAL_ADDRESS to the host:port of a Temporal server that runs;\n' +
  '  - install Go 1.24 or newer, from which the CLI is then built (about five minutes, once).';

/** A configured server wins; otherwise the sources are tried from the fastest to the slowest. */
export async function findServer(
  { address, binary }: Readonly<Record<'address' | 'binary', string | undefined>>,
  probes: Probes,
): Promise<TemporalSource> {
  if (address) return { kind: 'address', address };
  if (binary) return checkBinary(binary, probes);
  for (const probe of [probes.onPath, probes.cached, probes.download, probes.build]) {
    const path = await probe();
    if (path !== null) return { kind: 'binary', path };
  }
  throw new Error(NOT_FOUND);
}

async function checkBinary(path: string, probes: Probes): Promise<TemporalSource> {
  if (await probes.isUsable(path)) return { kind: 'binary', path };
  throw new Error(
    `TEMPORAL_BINARY is ${path}, which is not a Temporal CLI with a server in it: ` +
      '`temporal --version` should name a server version.',
  );
}

/** Throws, saying what to do, unless something listens at `host:port`. */
export async function reachTemporal(address: string): Promise<void> {
  try {
    const { hostname: host, port } = new URL(`tcp://${address}`);
    const socket = connect({ host, port: Number(port) || 7233 });
    const inTime = { milliseconds: 5000, message: 'no answer in time' };
    await pTimeout(once(socket, 'connect'), inTime).finally(() => socket.destroy());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `No Temporal server was reached at TEMPORAL_ADDRESS=${address} (${reason}).\n` +
        'Start it first, or unset TEMPORAL_ADDRESS to have one started here.',
      { cause: error },
    );
  }
}
