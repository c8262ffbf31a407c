import { rm } from 'node:fs/promises';

export default async function teardown() {
  const { folder, stops } = globalThis.testServers;
  await Promise.all(stops.map((stop) => stop()));
  await rm(folder, { recursive: true, force: true });
}
