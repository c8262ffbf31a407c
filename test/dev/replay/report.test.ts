import { formatOutcomes } from '../../../dev/replay.ts';
import { HEAD, passed, tableIn } from './table.ts';

const failed = (name: string, eventId: number | null, history: string, code: string) => ({
  name,
  type: 'LeadLifecycle',
  difference: { eventId, history, code },
});

const passing = (name: string, type: string) => ({ name, type, difference: null });

test('the report of a replay has one row for runs of a type that pass, and for those that fail alike', () => {
  const table = formatOutcomes([
    failed('run 1', 12, 'activityTaskScheduled routeLead', 'Timer'),
    passing('run 2', 'LeadLifecycle'),
    failed('run 3', 17, 'activityTaskScheduled routeLead', 'Timer'),
    failed('run 4', 12, 'timerStarted', 'Activity'),
    passing('run 5', 'DncrCheck'),
    passing('run 6', 'LeadLifecycle'),
    { ...failed('cut.json', null, 'is cut off: event 7 is missing', ''), type: null },
  ]);
  expect(tableIn(table)).toEqual([
    HEAD,
    ['-', 'failed', '1', '-', 'is cut off: event 7 is missing', '-', 'cut.json'],
    passed('DncrCheck', 1),
    ['LeadLifecycle', 'failed', '2', '12', 'activityTaskScheduled routeLead', 'Timer', 'run 1'],
    ['LeadLifecycle', 'failed', '1', '12', 'timerStarted', 'Activity', 'run 4'],
    passed('LeadLifecycle', 2),
  ]);
});
