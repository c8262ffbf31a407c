import { assertNever } from '../../domain/assert-never.ts';
import type { CreditStep, Load, Selection } from '../../domain/routing/types.ts';
import { timeText } from '../text.ts';

/** The figures that decided between agents: a column for each, a row for each eligible agent. */
export interface Arithmetic {
  strategy: string;
  head: string[];
  figures: ReadonlyMap<string, unknown[]>;
  note: string;
}

/** Null where there was nothing to choose between. */
export function arithmeticOf(selection: Selection): Arithmetic | null {
  switch (selection.by) {
    case 'pool':
    case 'named_agent':
      return null;
    case 'weighted_round_robin':
      return rotation(selection.arithmetic);
    case 'least_loaded':
      return loads(selection.loads);
    default:
      return assertNever(selection);
  }
}

function rotation(steps: readonly CreditStep[]): Arithmetic {
  const price = steps.reduce((sum, { weight }) => sum + weight, 0);
  return {
    strategy: 'weighted round robin',
    head: ['credit', '+ weight', '= claim', 'credit after'],
    figures: new Map(
      steps.map(({ agentId, creditBefore, weight, creditAfter }) => [
        agentId,
        [creditBefore, weight, creditBefore + weight, creditAfter],
      ]),
    ),
    note: `The highest claim takes the lead and pays ${price}, the weights of all eligible.`,
  };
}

function loads(each: readonly Load[]): Arithmetic {
  return {
    strategy: 'least loaded',
    head: ['open leads', 'today', 'last lead'],
    figures: new Map(
      each.map(({ agentId, openLeads, assignedToday, lastAssignedAt }) => [
        agentId,
        [openLeads, assignedToday, lastAssignedAt ? timeText(lastAssignedAt) : 'never'],
      ]),
    ),
    note: 'Fewest open leads, then fewest today, then who has waited longest.',
  };
}
