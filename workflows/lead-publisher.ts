import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { describeLead, searchAttributesFor } from './lead-page.ts';
import type { DeliverySnapshot, LeadSnapshot } from './contracts/lead-snapshot.ts';

export type PublishLead = (lead: LeadSnapshot, deliveries: readonly DeliverySnapshot[]) => void;

/**
 * Shows a lead to the operator: the search attributes that changed since they were written last, and the
 * current details, which cost nothing in the history.
 */
export function createLeadPublisher(): PublishLead {
  const initial = workflowInfo().typedSearchAttributes.getAll();
  const written = new Map<string, unknown>(initial.map(({ key, value }) => [key.name, value]));
  return (lead, deliveries) => {
    const changed = searchAttributesFor(lead, deliveries).filter(
      ({ key, value }) => (written.get(key.name) ?? null) !== value,
    );
    for (const { key, value } of changed) written.set(key.name, value);
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(describeLead(lead, deliveries));
  };
}
