import { findAgent } from '../../store/routing/agent-roll.ts';
import type { AgentIdentity } from '../../store/routing/agent-roll.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';

export async function agentByEmail(operator: Operator, email: string): Promise<AgentIdentity> {
  const agent = await findAgent(await operator.database(), email);
  if (!agent)
    throw new OperatorError('There is no agent with this e-mail; see leadctl agent list.');
  return agent;
}
