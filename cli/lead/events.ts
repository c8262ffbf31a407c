import { readLeadEvents } from '../../store/leads/lead-events.ts';
import type { Operator } from '../operator.ts';
import { eventsText } from './events-text.ts';
import { existingLead } from './existing-lead.ts';

export async function showEvents(operator: Operator, id: string): Promise<void> {
  const leadId = await existingLead(operator, id);
  operator.show(await readLeadEvents(await operator.database(), leadId), eventsText);
}
