import process from 'node:process';

const LOOK_EVERY_MS = 250;

/** Calls `onEnd` once when the launcher that started this process is gone, even by kill -9. */
export function endWithLauncher(launchedBy: string | undefined, onEnd: () => void): void {
  // Started by something else, which may leave whenever it likes.
  if (launchedBy !== String(process.ppid)) return;
  const timer = setInterval(() => {
    if (launchedBy === String(process.ppid)) return;
    clearInterval(timer);
    onEnd();
  }, LOOK_EVERY_MS);
  timer.unref();
}
