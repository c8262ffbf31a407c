import type { Assignment, Standings } from './lead-states.ts';
import type { Sent } from './send-all.ts';

export interface Tally {
  sent: number;
  created: number;
  mergedByPhone: number;
  mergedByEmail: number;
  repeat: number;
  needingReview: number;
  agentEnquiries: number;
  /** Leads that the run made or merged into. */
  leads: number;
  statuses: Record<Assignment['status'], number>;
  agents: { name: string; leads: number }[];
}

export function tallyOf(sent: readonly Sent[], standings: Standings): Tally {
  const answers = sent.map(({ answer }) => answer);
  const fresh = answers.filter((answer) => !answer.merged);
  const merged = answers.filter((answer) => answer.merged);
  const where = [...standings.values()];
  const statusCount = (wanted: Assignment['status']) =>
    where.filter(({ status }) => status === wanted).length;
  return {
    sent: sent.length,
    created: fresh.length,
    mergedByPhone: merged.filter(({ matchedOn }) => matchedOn === 'phone').length,
    mergedByEmail: merged.filter(({ matchedOn }) => matchedOn === 'email').length,
    repeat: fresh.filter(({ isRepeatLead }) => isRepeatLead).length,
    needingReview: fresh.filter(({ needsIntakeReview }) => needsIntakeReview).length,
    agentEnquiries: fresh.filter(({ isAgentEnquiry }) => isAgentEnquiry).length,
    leads: where.length,
    statuses: {
      assigned: statusCount('assigned'),
      pool: statusCount('pool'),
      unassigned: statusCount('unassigned'),
      pending: statusCount('pending'),
    },
    agents: agentsOf(where),
  };
}

/** Whoever has most comes first. */
function agentsOf(where: readonly Assignment[]): Tally['agents'] {
  const counts = new Map<string, number>();
  for (const { agent } of where) {
    if (agent) counts.set(agent.name, (counts.get(agent.name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, leads]) => ({ name, leads }))
    .sort((a, b) => b.leads - a.leads || a.name.localeCompare(b.name));
}

/** The value that this share of the list does not exceed; null for an empty list. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
