/** A Temporal server that already runs somewhere, or a program to start one with. */
export type TemporalSource =
  { kind: 'address'; address: string } | { kind: 'binary'; path: string };

export interface Wish {
  address: string | undefined;
  binary: string | undefined;
}

/** Each gives the path of a usable program, or null; `download` and `build` take their time. */
export interface Probes {
  isUsable(path: string): Promise<boolean>;
  onPath(): Promise<string | null>;
  kept(): Promise<string | null>;
  download(): Promise<string | null>;
  build(): Promise<string | null>;
}

const NOT_FOUND =
  'No Temporal server was found, and none could be downloaded or built. One of these helps:\n' +
  '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH;\n' +
  '  - set TEMPORAL_BINARY to the path of the Temporal CLI;\n' +
  '  - set TEMPORAL_ADDRESS to the host:port of a Temporal server that runs;\n' +
  '  - install Go 1.24 or newer, from which the CLI is then built (about five minutes, once).';

/** What was asked for by name comes first, then the quickest. */
export async function findServer(wish: Wish, probes: Probes): Promise<TemporalSource> {
  if (wish.address) return { kind: 'address', address: wish.address };
  if (wish.binary) return given(wish.binary, probes);
  for (const probe of [probes.onPath, probes.kept, probes.download, probes.build]) {
    const path = await probe();
    if (path !== null) return { kind: 'binary', path };
  }
  throw new Error(NOT_FOUND);
}

async function given(path: string, probes: Probes): Promise<TemporalSource> {
  if (await probes.isUsable(path)) return { kind: 'binary', path };
  throw new Error(
    `TEMPORAL_BINARY is ${path}, which is not a Temporal CLI with a server in it: ` +
      '`temporal --version` should name a server version.',
  );
}
