import { toJson, type JsonEvent } from '../../replay/edit-history.ts';
import { outcomesOf } from '../../replay/outcomes.ts';
import { savedHistories } from '../../replay/saved-histories.ts';

const COMMAND =
  /_(ACTIVITY_TASK_(SCHEDULED|CANCEL_REQUESTED)|TIMER_(STARTED|CANCELED)|MARKER_RECORDED|UPSERT_\w+|WORKFLOW_EXECUTION_(UPDATE_(ACCEPTED|COMPLETED)|COMPLETED|FAILED|CANCELED|CONTINUED_AS_NEW))$/;
const TASK_COMPLETED = /_WORKFLOW_TASK_COMPLETED$/;
/** The update itself is no part of the history before it. */
const UPDATE_ACCEPTED = /_UPDATE_ACCEPTED$/;

const PATCH = /"core_patch"|"TemporalChangeVersion"/;

interface Cut {
  events: readonly JsonEvent[];
  /** The first event left out. */
  next: string;
}

const isCommand = (type: string) => COMMAND.test(type) && !TASK_COMPLETED.test(type);

/** The history as it was at the end of each workflow task, and as it never was, at each event before that. */
function cutsIn(events: readonly JsonEvent[]): Cut[] {
  return events.flatMap(({ eventType }, index) => {
    const next = events[index + 1]?.eventType ?? '';
    const isOfTask = TASK_COMPLETED.test(eventType) || isCommand(eventType);
    // A patch is off if its marker is missing. The history is then still whole; its search attribute may be missing.
    const isBeforePatch = PATCH.test(JSON.stringify(events[index + 1] ?? null));
    return isOfTask && next && !isBeforePatch ? [{ events: events.slice(0, index + 1), next }] : [];
  });
}

const cuts = new Map<string, Cut>();
for (const { scenario, json } of await savedHistories()) {
  const { events } = JSON.parse(json) as { events: JsonEvent[] };
  for (const cut of cutsIn(events)) cuts.set(`${scenario} to ${cut.events.length}`, cut);
}
const named = [...cuts].map(([name, { events }]) => [name, toJson(events)] as const);
const outcomes = await outcomesOf(Object.fromEntries(named));

const isOfLead = ({ events }: Cut) => JSON.stringify(events[0]).includes('"LeadLifecycle"');

const cutWhere = (condition: (cut: Cut) => boolean) =>
  [...cuts].filter(([, cut]) => condition(cut)).map(([name]) => outcomes.get(name));

describe('histories of open runs', () => {
  test('replay at the end of each workflow task', () => {
    const whole = cutWhere(({ next }) => !isCommand(next));
    expect(whole.length).toBeGreaterThan(50);
    expect(whole.filter((outcome) => outcome?.failure !== null)).toEqual([]);
  });

  test('replay on code with a patch that they do not have', async () => {
    const workflows = new URL('../../replay/planted/patched-lead-lifecycle.ts', import.meta.url);
    const whole = [...cuts].filter(([, cut]) => isOfLead(cut) && !isCommand(cut.next));
    const named = whole.map(([name, { events }]) => [name, toJson(events)] as const);
    const patched = await outcomesOf(Object.fromEntries(named), { workflows });
    expect(patched.size).toBe(whole.length);
    expect([...patched.values()].filter(({ failure }) => failure)).toEqual([]);
  });

  test('fail where commands of the last workflow task are missing, which the SDK lets pass', () => {
    const missing = cutWhere(({ next }) => isCommand(next) && !UPDATE_ACCEPTED.test(next));
    expect(missing.length).toBeGreaterThan(50);
    for (const outcome of missing)
      expect(outcome?.failure?.text).toMatch(
        /^after event \d+: nothing more of this task in the history, the code .* \(or the history is cut off\)$/,
      );
  });
});
