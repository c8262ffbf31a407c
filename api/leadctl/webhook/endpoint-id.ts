import { OperatorError } from '../operator.ts';

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function endpointIdFrom(text: string): string {
  return uuidFrom(text, 'an endpoint');
}

export function uuidFrom(text: string, what: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw new OperatorError(`${text} is not the id of ${what}: that is a uuid.`);
}

export function assertFound(isFound: boolean, endpointId: string): void {
  if (!isFound) throw new OperatorError(`There is no endpoint ${endpointId}.`);
}
