import type { Command } from 'commander';
import type { HandOverTarget } from '../../domain/assignment/hand-over.ts';
import {
  readLastChanges,
  type LastChanges,
  type PlaceChange,
} from '../../store/assignment/place-changes.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { confirm } from '../confirm.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { timeText } from '../text.ts';
import { findLead, LEAD_TEXT } from './find.ts';
import {
  handOverText,
  NO_RELEASE,
  refusalText,
  requestHandOver,
  sendHandOver,
} from './hand-over-request.ts';

export function addUndoCommand(lead: Command, run: Run): void {
  lead
    .command('undo')
    .description(
      'Take back the last hand-over of a lead by an operator, while nothing else has changed it since; lead assign and lead reroute move one that was claimed or that the rules placed. An agent who gets it back has a new response clock.',
    )
    .argument('<text>', LEAD_TEXT)
    .option('--yes', 'also another operator’s hand-over or an undo, without a question', false)
    .action(run(undo));
}

async function undo(operator: Operator, text: string, { yes }: { yes: boolean }) {
  const leadId = await findLead(operator, text);
  const database = await operator.database();
  const lead = await readLastChanges(database, leadId);
  if (!lead) throw new OperatorError(`Lead ${leadId} not found.`);
  const { last, handOver, before } = findHandOver(operator, leadId, lead);
  const at = timeText(last.decidedAt, operator.config.companyTimeZone);
  const asks = [
    handOver.author !== operator.author && `${handOver.author} handed this lead over, on ${at}.`,
    handOver.isUndo && 'The last change was itself an undo; this makes the hand-over again.',
  ].filter((line) => line !== false);
  if (asks.length > 0)
    await confirm(operator, asks, { yes }, 'leadctl lead undo again takes it back');
  const target = targetOf(before);
  const { round, move, isPersonal, isResponded } = lead;
  const asked = {
    ...NO_RELEASE,
    target,
    movesPersonal: isPersonal,
    movesResponded: isResponded,
    onlyAt: { round, move, updatedAt: lead.updatedAt.toISOString() },
    // What took another one back and is taken back itself is a hand-over like any other.
    undoes: handOver.isUndo ? null : handOver.id,
  };
  const requestId = await requestHandOver(operator, asked, { leadId });
  const outcome = await sendHandOver(operator, leadId, requestId);
  if (!outcome.moved) throw new OperatorError(refusalText(leadId, outcome.reason));
  const names = Object.fromEntries(await readRecordNames(database, [target, outcome]));
  const view = { leadId, requestId, ...outcome, names, warnings: [] };
  operator.show(view, (shown) => handOverText(shown, target));
}

/** The hand-over that is taken back, and where the lead was before. */
function findHandOver({ config }: Operator, leadId: string, { changes, ...lead }: LastChanges) {
  const at = (time: Date) => timeText(time, config.companyTimeZone);
  const [last, before] = changes;
  const refuse = (reason: string) =>
    new OperatorError(
      `Nothing was taken back: ${reason}. leadctl lead show ${leadId} has the history.`,
    );
  if (!last) throw refuse('nobody has handed this lead over');
  const since = at(last.decidedAt);
  if (last.round !== lead.round || last.move !== lead.move)
    throw refuse(`new details began a new round after ${since}`);
  if (last.handOver === null)
    throw new OperatorError(
      `The lead’s last change was ${DECISIONS[last.decidedBy] ?? last.decidedBy}, not a hand-over by an operator; leadctl lead assign or lead reroute moves it. leadctl lead show ${leadId} has the history.`,
    );
  if (lead.respondedAt && lead.respondedAt > last.decidedAt)
    throw refuse(`a response was recorded on ${at(lead.respondedAt)}`);
  if (lead.enquiredAt > last.decidedAt)
    throw refuse(`the integrator sent something on ${at(lead.enquiredAt)}`);
  return { last, handOver: last.handOver, before };
}

const DECISIONS: Readonly<Record<string, string>> = {
  listing: 'an assignment to the listing’s agent',
  rules: 'a decision of the rules',
  follow_up: 'a follow-up',
  claim: 'a claim',
  assigned_by: 'an assignment by assignedBy',
};

/** A lead that waited, or that nothing was decided of, goes back to the rules. */
function targetOf(before: PlaceChange | undefined): HandOverTarget {
  if (before?.agentId) return { kind: 'agent', agentId: before.agentId };
  if (before?.poolId) return { kind: 'pool', poolId: before.poolId };
  return { kind: before?.status === 'unassigned' ? 'nobody' : 'rules' };
}
