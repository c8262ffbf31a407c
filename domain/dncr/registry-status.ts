import type { Answer, AnswerStatus } from './answer.ts';
import { withoutSeparators } from './separators.ts';

const NOT_FOUND = 'accountnumbernotfound';

/** One row of the registry's answer becomes ours; its texts are kept as they came. */
export function readRegistryStatus(
  dncrStatus: string | null,
  registryStatus: string | null,
): Answer {
  return { status: statusOf(dncrStatus, registryStatus), dncrStatus, registryStatus };
}

/** A status that is not known is no answer: to take it for a clearance would be worse than none. */
function statusOf(dncrStatus: string | null, registryStatus: string | null): AnswerStatus {
  if (dncrStatus === 'TRUE') return 'registered';
  if (dncrStatus === 'FALSE') return 'not_registered';
  if (dncrStatus === null && isNotFoundText(registryStatus)) return 'not_found';
  return 'unavailable';
}

/** `Account Number – Not Found`, whatever its dash, spacing and case. */
function isNotFoundText(text: string | null): boolean {
  return text !== null && withoutSeparators(text).toLowerCase().replace(/\.$/, '') === NOT_FOUND;
}
