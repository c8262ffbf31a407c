import { isUuid } from '../../domain/uuid.ts';
import { OperatorError } from '../operator.ts';

export function endpointIdFrom(text: string): string {
  return uuidFrom(text, 'an endpoint');
}

export function uuidFrom(text: string, what: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new OperatorError(`${text} is not the id of ${what}: that is a uuid.`);
}

export function assertFound(isFound: boolean, endpointId: string): asserts isFound {
  if (!isFound) throw new OperatorError(`There is no endpoint ${endpointId}.`);
}
