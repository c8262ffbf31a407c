import { newAssignment, requireTransition } from '../../../domain/assignment/transitions.ts';
import { assignmentColumns, NO_ASSIGNMENT } from '../../../store/leads/transition-rows.ts';
import type { AddedRows, LeadChangeRows } from '../../../store/leads/lead-rows.ts';

const created = { kind: 'created', createdBy: 'Shop' } as const;
const transition = requireTransition(newAssignment({ isPersonal: false }), created);
const columns = assignmentColumns(NO_ASSIGNMENT, { transition, now: new Date() });

/** The type check is the assertion: it fails where a part is taken after all. */
test('a change of a lead takes a transition whole: no type takes its columns or rows apart', () => {
  // @ts-expect-error -- the columns without the rows
  const change: LeadChangeRows = { change: columns };
  // @ts-expect-error -- one column
  const column: LeadChangeRows = { change: { event_sequence: 2 } };
  // @ts-expect-error -- an event without the columns
  const events: AddedRows = { webhook_events: [] };
  // @ts-expect-error -- the history without the columns
  const history: AddedRows = { assignments: [] };
  // @ts-expect-error -- a lead that is changed is no new one
  const leads: AddedRows = { leads: [] };
  const whole: LeadChangeRows = {
    change: { updated_at: new Date().toISOString() },
    transition: { transition, now: new Date(), newId: () => 'an id' },
  };
  expect([change, column, events, history, leads, whole]).toHaveLength(6);
});
