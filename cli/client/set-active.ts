import { setActive } from '../../store/clients/manage-client.ts';
import type { Operator } from '../operator.ts';
import { existingClient } from './existing-client.ts';

/** Tokens of a client that is not active are refused at once, and good again when it is active again. */
export async function setClientActive(
  operator: Operator,
  clientId: string,
  active: boolean,
): Promise<void> {
  const { name } = await existingClient(operator, clientId);
  const changed = await setActive(await operator.database(), clientId, active);
  const state = active ? 'active' : 'deactivated; its requests are refused from now on';
  operator.show({ clientId, active, changed }, () =>
    changed ? `${name} is ${state}.` : `${name} was ${active ? 'active' : 'deactivated'} already.`,
  );
}
