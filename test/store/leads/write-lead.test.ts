import type { Decided } from '../../../app/assignment/change-leads.ts';
import { assignmentColumns, NO_ASSIGNMENT } from '../../../domain/assignment/records.ts';
import { newAssignment, requireTransition } from '../../../domain/assignment/transitions.ts';
import type { AddedRows } from '../../../store/leads/lead-rows.ts';

const created = { kind: 'created', createdBy: 'Shop' } as const;
const transition = requireTransition(newAssignment({ isPersonal: false }), created);
const columns = assignmentColumns(NO_ASSIGNMENT, { transition, now: new Date() });

/** The type check is the assertion: it fails where a part is taken after all. */
test('a decision names the cause of a change: no type takes its columns or rows', () => {
  const outcome = null;
  // @ts-expect-error -- the columns of the assignment
  const all: Decided<null> = { outcome, columns };
  // @ts-expect-error -- one of them
  const column: Decided<null> = { outcome, columns: { event_sequence: 2 } };
  // @ts-expect-error -- an event
  const events: AddedRows = { webhook_events: [] };
  // @ts-expect-error -- an entry of the history
  const history: AddedRows = { assignments: [] };
  // @ts-expect-error -- a lead that is changed is no new one
  const leads: AddedRows = { leads: [] };
  const updated_at = new Date().toISOString();
  const allowed: Decided<null> = {
    outcome,
    cause: { kind: 'new_details' },
    columns: { updated_at },
  };
  expect([all, column, events, history, leads, allowed]).toHaveLength(6);
});
