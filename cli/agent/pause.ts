import { setPaused } from '../../store/routing/agent-roll.ts';
import type { Operator } from '../operator.ts';
import { agentByEmail } from './agent-by-email.ts';

/** A paused agent keeps what they hold, and no rule chooses them from the next decision on. */
export async function setAgentPaused(
  operator: Operator,
  email: string,
  paused: boolean,
): Promise<void> {
  const agent = await agentByEmail(operator, email);
  const at = paused ? operator.now() : null;
  const changed = await setPaused(await operator.database(), agent.id, at);
  operator.show({ ...agent, paused, changed }, () => {
    const state = paused ? 'paused' : 'taking leads';
    return changed ? `${agent.name} is ${state}.` : `${agent.name} was ${state} already.`;
  });
}
