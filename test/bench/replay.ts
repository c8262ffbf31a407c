import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { savedHistories } from '../replay/saved-histories.ts';
import { familyCpuMsOf, familyMegabytesOf } from './cpu.ts';

export type ReplayBench = Awaited<ReturnType<typeof measure>>;

const RUNS = [500, 5000];
const SAMPLE_EVERY_MS = 250;

/** `npm run replay` of more and more runs: the saved histories, many times, each as a run of its own. */
export async function benchReplay(folder: string): Promise<ReplayBench[]> {
  const results: ReplayBench[] = [];
  for (const runs of RUNS) results.push(await measure(await writeRuns(folder, runs)));
  return results;
}

async function writeRuns(parent: string, runs: number) {
  const folder = path.join(parent, `runs-${runs}`);
  await mkdir(folder);
  const saved = await savedHistories();
  for (let index = 0; index < runs; index += 1) {
    const { json = '', history } = saved[index % saved.length] ?? {};
    const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
    const runId = started?.originalExecutionRunId ?? '';
    await writeFile(path.join(folder, `${index}.json`), json.replaceAll(runId, randomUUID()));
  }
  return { folder, runs };
}

async function measure({ folder, runs }: { folder: string; runs: number }) {
  const [startedAt, startedCpuMs] = [performance.now(), familyCpuMsOf(process.pid)];
  const child = spawn(process.execPath, ['dev/replay.ts', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let peakMegabytes = 0;
  const sample = () => {
    peakMegabytes = Math.max(peakMegabytes, familyMegabytesOf(child.pid ?? 0));
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(timer);
  if (code !== 0) throw new Error(output);
  return {
    runs,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: (familyCpuMsOf(process.pid) - startedCpuMs) / 1000,
    /** The peak of all processes together. */
    peakMegabytes: Math.round(peakMegabytes),
  };
}
