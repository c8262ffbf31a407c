// The worker process of the floors, with the options of worker/workers.ts.
// Usage: worker.ts ADDRESS PORT [DATABASE_URL]; on that port it reports its progress. Its activities do nothing,
// or with a database what a lead needs at least.
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
import { createBareLead } from './bare-lead.ts';
import {
  floorQueues,
  type FirstActivities,
  type SecondActivities,
  type FloorProgress,
} from './messages.ts';

const [address = '', port, databaseUrl] = process.argv.slice(2);
const progress: FloorProgress = { done: 0, lastAtMs: 0, ended: 0 };

const lead: FirstActivities & SecondActivities = databaseUrl
  ? createBareLead(databaseUrl)
  : {
      first: () => Promise.resolve(null),
      second: () => Promise.resolve(),
      last: () => Promise.resolve(),
    };
const firstActivities: FirstActivities = {
  first: lead.first,
  async last(leadId) {
    await lead.last(leadId);
    progress.ended += 1;
  },
};
const secondActivities: SecondActivities = {
  async second(leadId) {
    await lead.second(leadId);
    progress.done += 1;
    progress.lastAtMs = Date.now();
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
    connection,
    workflowBundle,
    taskQueue: floorQueues.first,
    activities: { ...firstActivities },
    maxConcurrentActivityTaskExecutions: 50,
  }),
  Worker.create({
    connection,
    workflowBundle,
    taskQueue: floorQueues.second,
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
