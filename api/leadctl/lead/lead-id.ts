import { OperatorError } from '../operator.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function asLeadId(text: string): string {
  if (!UUID.test(text)) throw new OperatorError(`${text} is not the id of a lead: it is no uuid.`);
  return text.toLowerCase();
}
