import { randomUUID } from 'node:crypto';
import type { HandOver } from '../../domain/assignment/hand-over.ts';
import type { insertHandOver } from '../../store/assignment/hand-overs.ts';

type HandOverRequest = Parameters<typeof insertHandOver>[1];

/** What an operator asks for, about whichever lead it is carried out for, without a reason. */
export function handOverRequest(
  target: HandOver['target'],
  over: Partial<HandOverRequest> = {},
): HandOverRequest {
  return {
    id: randomUUID(),
    target,
    releasedAgentId: null,
    onlyWaiting: false,
    movesResponded: false,
    movesPersonal: false,
    author: 'noor',
    reason: null,
    leadId: null,
    now: new Date(),
    ...over,
  };
}
