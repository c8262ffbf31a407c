// The worker process of the trivial workflow, with the options of worker/workers.ts.
// Usage: worker.ts ADDRESS PORT; on that port it reports its progress.
import { createServer } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import {
  trivialQueues,
  type FirstActivities,
  type SecondActivities,
  type TrivialProgress,
} from './messages.ts';

const [address = '', port] = process.argv.slice(2);
const progress: TrivialProgress = { done: 0, lastAtMs: 0, ended: 0 };

const firstActivities: FirstActivities = {
  first: () => Promise.resolve(),
  last() {
    progress.ended += 1;
    return Promise.resolve();
  },
};
const secondActivities: SecondActivities = {
  second() {
    progress.done += 1;
    progress.lastAtMs = Date.now();
    return Promise.resolve();
  },
};

Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('WARN') });
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('workflow.ts', import.meta.url));
const workflowBundle = await bundleWorkflowCode({
  workflowsPath,
  logger: new DefaultLogger('WARN'),
});
const workers = await Promise.all([
  Worker.create({
    ...{ connection, workflowBundle, taskQueue: trivialQueues.first },
    activities: { ...firstActivities },
    maxConcurrentActivityTaskExecutions: 50,
  }),
  Worker.create({
    ...{ connection, workflowBundle, taskQueue: trivialQueues.second },
    activities: { ...secondActivities },
    maxConcurrentActivityTaskExecutions: 200,
  }),
]);
const runs = workers.map((worker) => worker.run());
createServer((request, response) => {
  request.resume();
  response.end(JSON.stringify(progress));
}).listen(Number(port), '127.0.0.1');
await Promise.all(runs);
