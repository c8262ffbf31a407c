import { on } from 'node:events';
import process from 'node:process';
import { replayJobs, type Job } from './replayer.ts';

const [, , bundleFile = ''] = process.argv;

/** Ends when the parent process closes the channel or is gone. */
async function* receiveJobs(): AsyncGenerator<Job> {
  const messages = on(process, 'message', { close: ['disconnect'] });
  process.send?.('ready');
  for await (const [job] of messages) yield job as Job;
}

await replayJobs(bundleFile, receiveJobs(), (outcome) => void process.send?.(outcome));
