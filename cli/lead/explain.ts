import { withCompanyName } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { readAssignmentHistory } from '../../store/assignment/assignment-history.ts';
import { readRecordNames, withNames } from '../../store/routing/record-names.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { existingLead } from './existing-lead.ts';
import { decisionsText } from './explain-text.ts';

export async function explainLead(
  operator: Operator,
  id: string,
  { round }: { round?: number },
): Promise<void> {
  const leadId = await existingLead(operator, id);
  const view = await readDecisions(operator, leadId, round);
  if (round !== undefined && view.decisions.length === 0) {
    throw new OperatorError(`Nothing was decided of lead ${leadId} in round ${round}.`);
  }
  operator.show({ ...view, names: Object.fromEntries(view.names) }, () => decisionsText(view));
}

export type DecisionsView = Awaited<ReturnType<typeof readDecisions>>;

async function readDecisions(operator: Operator, leadId: string, round?: number) {
  const database = await operator.database();
  const history = await readAssignmentHistory(database, leadId);
  const decisions = history.filter((entry) => round === undefined || entry.round === round);
  const names = await readRecordNames(
    database,
    decisions.map(({ reason, explanation }) => ({ reason, explanation })),
  );
  return {
    leadId,
    decisions: decisions.map((entry) => ({ ...entry, reason: withNames(entry.reason, names) })),
    /** Ids of the explanation to what an operator calls them. */
    names: withCompany(names, operator.config.companyName),
  };
}

function withCompany(names: Map<string, string>, companyName: string): Map<string, string> {
  return new Map([...names].map(([id, name]) => [id, withCompanyName(name, companyName)]));
}
