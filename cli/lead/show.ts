import { readAssignmentHistory } from '../../store/assignment/assignment-history.ts';
import { readLeadEvents } from '../../store/leads/lead-events.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import { readLeadPerson } from '../../store/leads/lead-person.ts';
import { readRecordNames, withNames } from '../../store/routing/record-names.ts';
import { readTimeline } from '../../store/leads/timeline.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { asLeadId } from './lead-id.ts';
import { leadText } from './show-text.ts';

/** The customer's own data is read only with `personal`. */
export async function showLead(
  operator: Operator,
  id: string,
  { personal }: { personal: boolean },
): Promise<void> {
  const view = await readView(operator, asLeadId(id), personal);
  operator.show(view, (lead) => leadText(lead, operator.now()));
}

export type LeadView = Awaited<ReturnType<typeof readView>>;

async function readView(operator: Operator, leadId: string, personal: boolean) {
  const database = await operator.database();
  const overview = await readLeadOverview(database, leadId, operator.config.companyName);
  if (!overview) throw new OperatorError(`There is no lead ${leadId}.`);
  const [history, timeline, events, person] = await Promise.all([
    readAssignmentHistory(database, leadId),
    readTimeline(database, leadId),
    readLeadEvents(database, leadId),
    personal ? readLeadPerson(database, leadId) : null,
  ]);
  const notes = timeline.map(({ text }) => text);
  const names = await readRecordNames(database, notes);
  return {
    ...overview,
    ...(person ? { person } : {}),
    assignments: history.map(({ explanation: _explanation, ...entry }) => entry),
    timeline: timeline.map((note) => ({ ...note, text: withNames(note.text, names) })),
    events,
  };
}
