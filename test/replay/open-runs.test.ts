import { toJson, type JsonEvent } from './edit-history.ts';
import { outcomesOf } from './outcomes.ts';
import { savedHistories } from './saved-histories.ts';

const COMMAND =
  /_(ACTIVITY_TASK_(SCHEDULED|CANCEL_REQUESTED)|TIMER_(STARTED|CANCELED)|MARKER_RECORDED|UPSERT_\w+|WORKFLOW_EXECUTION_(UPDATE_(ACCEPTED|COMPLETED)|COMPLETED|FAILED|CANCELED|CONTINUED_AS_NEW))$/;
const TASK_COMPLETED = /_WORKFLOW_TASK_COMPLETED$/;

const isCommand = (type: string) => COMMAND.test(type) && !TASK_COMPLETED.test(type);

/** The history as it was at the end of each workflow task. */
function cutsIn(events: readonly JsonEvent[]): JsonEvent[][] {
  return events.flatMap(({ eventType }, index) => {
    const next = events[index + 1]?.eventType ?? '';
    const isOfTask = TASK_COMPLETED.test(eventType) || isCommand(eventType);
    return isOfTask && next && !isCommand(next) ? [events.slice(0, index + 1)] : [];
  });
}

const saved = await savedHistories();
const cuts = saved.flatMap(({ scenario, json }) =>
  cutsIn((JSON.parse(json) as { events: JsonEvent[] }).events).map(
    (events) => [`${scenario} to ${events.length}`, toJson(events)] as const,
  ),
);
const ofLeads = cuts.filter(([, json]) => json.includes('"workflowType":{"name":"LeadLifecycle"}'));

describe('histories of open runs', () => {
  test('replay at the end of each workflow task', async () => {
    expect(cuts.length).toBeGreaterThan(50);
    const outcomes = await outcomesOf(Object.fromEntries(cuts));
    expect(outcomes.size).toBe(cuts.length);
    expect([...outcomes.values()].filter(({ difference }) => difference)).toEqual([]);
  });

  test('replay on code with a patch that they do not have', async () => {
    expect(ofLeads.length).toBeGreaterThan(50);
    const workflows = new URL('./planted/patched-lead-lifecycle.ts', import.meta.url);
    const patched = await outcomesOf(Object.fromEntries(ofLeads), workflows);
    expect(patched.size).toBe(ofLeads.length);
    expect([...patched.values()].filter(({ difference }) => difference)).toEqual([]);
  });
});
