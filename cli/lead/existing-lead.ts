import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { asLeadId } from './lead-id.ts';

/** The id of a lead that is there, so that no command answers emptily for a mistyped one. */
export async function existingLead(operator: Operator, id: string): Promise<string> {
  const leadId = asLeadId(id);
  const database = await operator.database();
  const found = await database.query(`select id from leads where id = $1`, [leadId]);
  if (found.length === 0) throw new OperatorError(`There is no lead ${leadId}.`);
  return leadId;
}
