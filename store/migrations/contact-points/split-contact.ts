import {
  contactPointKey,
  readContactPoints,
  type ContactPoint,
} from '../../../domain/leads/contact-points.ts';

/** A lead of a contact that holds a contact point under which it is searched no longer, or that lacks one. */
export interface StoredLead {
  id: string;
  phones: string[];
  emails: string[];
  /** Those that are read today as they were. */
  points: ContactPoint[];
  hasStalePoints: boolean;
  /** Its phones name more than was read. */
  isUnread: boolean;
  /** One of its stale contact points was the only one that made it a known agent's. */
  wasTakenForAgent: boolean;
  isErased: boolean;
  createdAt: number;
  mergeWindowEndsAt: number;
  repeatOfLeadId: string | null;
  agentEnquiryReason: string | null;
}

export interface SplitLead {
  id: string;
  /** Of its texts as they are read today; without those that it has. */
  newPoints: ContactPoint[];
  repeatOfLeadId: string | null;
  agentEnquiryReason: string | null;
}

/** Leads that share a person; the first group has the contact's oldest lead. */
export interface SplitGroup {
  leads: SplitLead[];
  points: ContactPoint[];
}

/**
 * The leads of one contact by the persons behind them: two are of one person where a readable number or address
 * joins them, over other leads too. What one person's lead took from another's is taken back: its being a repeat,
 * and an agent's.
 */
export function splitContact(leads: readonly StoredLead[]): SplitGroup[] {
  const byAge = leads
    .filter(({ isErased }) => !isErased)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const known = byAge.map((lead, age) => ({ lead, age, points: currentPoints(lead) }));
  if (!leads.some(({ hasStalePoints }) => hasStalePoints))
    return [{ leads: known.map(withMarks), points: pointsOf(known) }];
  return joined(known).map((group) => ({ leads: withOwnMarks(group), points: pointsOf(group) }));
}

const pointsOf = (group: readonly Known[]) => group.flatMap(({ points }) => points);

interface Known {
  lead: StoredLead;
  /** 0 for the oldest. */
  age: number;
  points: ContactPoint[];
}

function currentPoints(lead: StoredLead): ContactPoint[] {
  const { phones, emails, points, hasStalePoints, isUnread } = lead;
  const read = hasStalePoints || isUnread ? [...phones, ...emails].flatMap(readContactPoints) : [];
  const all = [...points, ...read].map((point) => [contactPointKey(point), point] as const);
  return [...new Map(all).values()];
}

/** Each lead joins the groups of its contact points into one. */
function joined(leads: readonly Known[]): Known[][] {
  const groupOf = new Map<string, Known[]>();
  const groups = new Set<Known[]>();
  for (const known of leads) {
    const keys = known.points.map(contactPointKey);
    const found = keys.map((key) => groupOf.get(key)).filter((group) => group !== undefined);
    const [first = [], ...others] = new Set(found);
    for (const other of others) {
      first.push(...other);
      groups.delete(other);
      for (const { points } of other)
        for (const point of points) groupOf.set(contactPointKey(point), first);
    }
    first.push(known);
    groups.add(first);
    for (const key of keys) groupOf.set(key, first);
  }
  const byAge = (a: Known | undefined, b: Known | undefined) => (a?.age ?? 0) - (b?.age ?? 0);
  return [...groups].map((group) => group.toSorted(byAge)).sort((a, b) => byAge(a[0], b[0]));
}

/** As it was marked: it shares its contact by what is read today too. */
function withMarks({ lead, points }: Known): SplitLead {
  const { id, repeatOfLeadId, agentEnquiryReason } = lead;
  return { id, newPoints: newPoints(lead, points), repeatOfLeadId, agentEnquiryReason };
}

function newPoints(lead: StoredLead, points: readonly ContactPoint[]): ContactPoint[] {
  const had = new Set(lead.points.map(contactPointKey));
  return points.filter((point) => !had.has(contactPointKey(point)));
}

function withOwnMarks(group: readonly Known[]): SplitLead[] {
  const ids = new Set(group.map(({ lead }) => lead.id));
  let hasAgentLead = false;
  return group.map(({ lead, points }, at) => {
    const agentEnquiryReason = ownReason(lead, hasAgentLead);
    hasAgentLead ||= agentEnquiryReason !== null;
    return {
      id: lead.id,
      newPoints: newPoints(lead, points),
      repeatOfLeadId: ids.has(lead.repeatOfLeadId ?? '')
        ? lead.repeatOfLeadId
        : ownRepeat(lead, group.slice(0, lead.repeatOfLeadId === null ? 0 : at)),
      agentEnquiryReason,
    };
  });
}

function ownReason({ agentEnquiryReason, wasTakenForAgent }: StoredLead, hasAgentLead: boolean) {
  const isOwn = agentEnquiryReason === 'known_agent' ? !wasTakenForAgent : hasAgentLead;
  const isCheckable = agentEnquiryReason === 'known_agent' || agentEnquiryReason === 'prior_lead';
  if (isCheckable && !isOwn) return hasAgentLead ? 'prior_lead' : null;
  return agentEnquiryReason;
}

/** The newest lead of the person whose merge window was over. */
function ownRepeat(lead: StoredLead, earlier: readonly Known[]): string | null {
  const over = earlier.findLast((known) => known.lead.mergeWindowEndsAt <= lead.createdAt);
  return over?.lead.id ?? null;
}
