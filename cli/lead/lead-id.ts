import { isUuid } from '../../domain/uuid.ts';
import { OperatorError } from '../operator.ts';

export function asLeadId(text: string): string {
  if (!isUuid(text)) throw new OperatorError(`${text} is not the id of a lead: it is no uuid.`);
  return text.toLowerCase();
}
