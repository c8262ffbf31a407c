/**
 * A person whose earlier lead is older than the merge window gets a new lead, which names the newest such
 * lead (merge rule 3). It is a marker only.
 */
export function markRepeatLead(contact: { olderLeadId: string | null } | null) {
  const repeatOfLeadId = contact?.olderLeadId ?? null;
  return { is_repeat_lead: repeatOfLeadId !== null, repeat_of_lead_id: repeatOfLeadId };
}
