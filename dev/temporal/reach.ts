import { connect } from 'node:net';

const TIMEOUT_MS = 5000;

/** Throws, saying what to do, unless something listens at `host:port`. */
export async function reachTemporal(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect({ host: hostname, port: Number(port) || 7233, timeout: TIMEOUT_MS });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.once('timeout', () => reject(new Error('no answer in time')));
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `No Temporal server was reached at TEMPORAL_ADDRESS=${address} (${why}).\n` +
        'Start it first, or unset TEMPORAL_ADDRESS to have one started here.',
      { cause: error },
    );
  } finally {
    socket.destroy();
  }
}
