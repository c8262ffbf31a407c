import { assertNever } from '../../domain/assert-never.ts';
import type { AssignmentEntry } from '../../store/assignment/assignment-history.ts';

export function decidedByText(decidedBy: AssignmentEntry['decidedBy']): string {
  switch (decidedBy) {
    case 'rules':
      return 'rules';
    case 'listing':
      return 'listing’s agent';
    case 'assigned_by':
      return 'assignedBy';
    case 'follow_up':
      return 'follow-up';
    case 'claim':
      return 'claim';
    default:
      return assertNever(decidedBy);
  }
}

type Outcome = Pick<AssignmentEntry, 'status' | 'agent' | 'previousAgent' | 'pool'>;

export function outcomeText({ status, agent, previousAgent, pool }: Outcome): string {
  switch (status) {
    case 'assigned':
      return `${agent ?? 'an agent'}${previousAgent ? `, after ${previousAgent}` : ''}`;
    case 'pool':
      return `pool ${pool ?? ''}`.trim();
    case 'unassigned':
      return 'nobody';
    default:
      return assertNever(status);
  }
}
