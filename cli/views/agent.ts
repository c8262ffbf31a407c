import type { AgentEntry } from '../../store/routing/agents.ts';
import { tableText, timeText, valueText } from '../text.ts';

export function agentsText(agents: readonly AgentEntry[]): string {
  return tableText(
    ['agent', 'slug', 'e-mail', 'state', 'teams', 'languages', 'today', 'open', 'id'],
    agents.map((agent) => [
      agent.name,
      agent.slug,
      agent.email,
      stateText(agent),
      valueText(agent.teams),
      valueText(agent.languages),
      capText(agent.assignedToday, agent.dailyCap),
      capText(agent.openLeads, agent.openCap),
      agent.id,
    ]),
  );
}

function stateText({ active, pausedAt }: AgentEntry): string {
  if (!active) return 'not active';
  return pausedAt ? `paused since ${timeText(pausedAt)}` : 'takes leads';
}

function capText(amount: number, cap: number | null): string {
  return cap === null ? String(amount) : `${amount} of ${cap}`;
}
