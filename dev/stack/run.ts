import { step, type Progress } from '../progress.ts';
import type { GuardedProcess } from '../process/supervised.ts';
import { createPart, type OnDeath, type Part } from './managed-service.ts';
import type { Ports } from './ports.ts';
import type { Settings } from './settings.ts';

/** One start of the stack: what it goes by, and what it has brought up so far. */
export interface Run {
  settings: Settings;
  ports: Ports;
  progress: Progress;
  onDeath: OnDeath;
  parts: Map<PartName, Part>;
  /** Ends of watches over parts, before the parts are stopped. */
  watches: (() => Promise<void>)[];
  /** What lives in this process: ended after the parts, the latest first. */
  closers: (() => Promise<void>)[];
  /** What comes up from now on, having been begun before, is ended at once. */
  isOver: boolean;
}

export type PartName = 'api' | 'worker' | 'temporal' | 'postgres';

/** Whoever needs another is stopped before it. */
const STOP_ORDER: readonly PartName[] = ['api', 'worker', 'temporal', 'postgres'];

export async function bringUp(
  run: Run,
  name: PartName,
  title: string,
  launch: () => Promise<GuardedProcess>,
): Promise<void> {
  const part = createPart(name, launch, run.onDeath);
  run.parts.set(name, part);
  await step(run.progress, title, () => part.start());
  if (run.isOver) await part.stop();
}

export async function closeAtEnd(run: Run, close: () => Promise<void>): Promise<void> {
  if (run.isOver) await close();
  else run.closers.push(close);
}

/** For a part that runs and is of no use. */
export async function startAgain({ parts, progress }: Run, name: PartName): Promise<void> {
  const part = parts.get(name);
  if (!part) return;
  await step(progress, `Starting ${name} again: it is stuck`, async () => {
    await part.crash();
    await part.start();
  }).catch((error: unknown) => progress.say(String(error)));
}

export async function takeDown(run: Run): Promise<void> {
  run.isOver = true;
  await Promise.all(run.watches.map((endWatch) => endWatch()));
  for (const name of STOP_ORDER) {
    const part = run.parts.get(name);
    if (part) await step(run.progress, `Stopping ${name}`, () => part.stop());
  }
  for (const close of run.closers.toReversed()) await close();
}
