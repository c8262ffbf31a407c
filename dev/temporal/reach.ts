import { connect, type Socket } from 'node:net';

const TIMEOUT_MS = 5000;

/** Throws, saying what to do, unless something listens at `host:port`. */
export async function reachTemporal(address: string): Promise<void> {
  let socket: Socket | undefined;
  try {
    const { hostname, port } = new URL(`tcp://${address}`);
    const opened = connect({ host: hostname, port: Number(port) || 7233, timeout: TIMEOUT_MS });
    socket = opened;
    await new Promise<void>((resolve, reject) => {
      opened.once('connect', resolve);
      opened.once('error', reject);
      opened.once('timeout', () => reject(new Error('no answer in time')));
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `No Temporal server was reached at TEMPORAL_ADDRESS=${address} (${why}).\n` +
        'Start it first, or unset TEMPORAL_ADDRESS to have one started here.',
      { cause: error },
    );
  } finally {
    socket?.destroy();
  }
}
