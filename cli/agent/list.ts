import { readAgents } from '../../store/routing/agent-roll.ts';
import type { AgentEntry } from '../../store/routing/agent-roll.ts';
import { tableText } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { timeText, valueText } from '../text.ts';

export async function listAgents(operator: Operator): Promise<void> {
  operator.show(await readAgents(await operator.database(), operator.now()), agentsText);
}

function agentsText(agents: readonly AgentEntry[]): string {
  return tableText(
    ['agent', 'slug', 'e-mail', 'state', 'teams', 'languages', 'today', 'open', 'id'],
    agents.map((agent) => [
      agent.name,
      agent.slug,
      agent.email,
      stateText(agent),
      valueText(agent.teams),
      valueText(agent.languages),
      ofCap(agent.assignedToday, agent.dailyCap),
      ofCap(agent.openLeads, agent.openCap),
      agent.id,
    ]),
  );
}

function stateText({ active, pausedAt }: AgentEntry): string {
  if (!active) return 'not active';
  return pausedAt ? `paused since ${timeText(pausedAt)}` : 'takes leads';
}

function ofCap(amount: number, cap: number | null): string {
  return cap === null ? String(amount) : `${amount} of ${cap}`;
}
