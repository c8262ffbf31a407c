import type { Command } from 'commander';
import type { HandOverTarget } from '../../domain/assignment/hand-over.ts';
import {
  readLastChanges,
  type LastChanges,
  type PlaceChange,
} from '../../store/assignment/hand-overs.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { confirm } from '../confirm.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { timeText } from '../text.ts';
import { findLead, LEAD_TEXT } from './find.ts';
import { handOverText, refusalText, requestHandOver, sendHandOver } from './hand-over-request.ts';

export function addUndoCommand(lead: Command, run: Run): void {
  lead
    .command('undo')
    .description(
      'Take back the last hand-over of a lead, while nothing else has changed it since. An agent who gets it back has a new response clock.',
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
  const asks = [
    ...(handOver.author === operator.author
      ? []
      : [
          `${handOver.author} handed this lead over, on ${timeText(last.decidedAt, operator.config.companyTimeZone)}.`,
        ]),
    ...(handOver.isUndo
      ? ['The last change was itself an undo; this makes the hand-over again.']
      : []),
  ];
  if (asks.length > 0)
    await confirm(operator, asks, { yes }, 'leadctl lead undo again takes it back');
  const target = targetOf(before);
  const { round, move, isPersonal, isResponded } = lead;
  const asked = {
    target,
    releasedAgentId: null,
    onlyWaiting: false,
    movesPersonal: isPersonal,
    movesResponded: isResponded,
    onlyAt: { round, move, updatedAt: new Date(lead.updatedAt).toISOString() },
    // What took another one back and is taken back itself is a hand-over like any other.
    undoes: handOver.isUndo ? null : handOver.id,
  };
  const requestId = await requestHandOver(operator, asked, { leadId });
  const outcome = await sendHandOver(operator, leadId, requestId);
  if (!outcome.moved) throw new OperatorError(refusalText(leadId, outcome.reason));
  const names = Object.fromEntries(await readRecordNames(database, [target, outcome]));
  const view = { leadId, requestId, ...outcome, names, warnings: [] };
  operator.show(view, (shown) => handOverText(shown, outcome, target));
}

/** The hand-over that is taken back, and where the lead was before. */
function findHandOver({ config }: Operator, leadId: string, { changes, ...lead }: LastChanges) {
  const at = (time: Date | string) => timeText(time, config.companyTimeZone);
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
    throw refuse(
      `the last change, of ${since}, was no hand-over but by ${DECIDED_BY[last.decidedBy] ?? last.decidedBy}`,
    );
  if (lead.respondedAt && lead.respondedAt > new Date(last.decidedAt))
    throw refuse(`a response was recorded on ${at(lead.respondedAt)}`);
  if (lead.enquiredAt > new Date(last.decidedAt))
    throw refuse(`the integrator sent something on ${at(lead.enquiredAt)}`);
  return { last, handOver: last.handOver, before };
}

const DECIDED_BY: Readonly<Record<string, string>> = {
  listing: 'the listing’s agent',
  rules: 'the rules',
  follow_up: 'the follow-up',
  claim: 'a claim',
  assigned_by: 'assignedBy',
};

/** A lead that waited, or that nothing was decided of, goes back to the rules. */
function targetOf(before: PlaceChange | undefined): HandOverTarget {
  if (before?.agentId) return { kind: 'agent', agentId: before.agentId };
  if (before?.poolId) return { kind: 'pool', poolId: before.poolId };
  return { kind: before?.status === 'unassigned' ? 'nobody' : 'rules' };
}
