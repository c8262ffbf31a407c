import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { readAssignmentHistory } from '../../store/assignment/read-assignment.ts';
import { readLeadOverview, type LeadOverview } from '../../store/leads/lead-overview.ts';
import { insertOperatorText } from '../../store/assignment/operator-texts.ts';
import { since, type Since } from '../arguments.ts';
import { canAsk, confirm } from '../confirm.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { durationText, timeText } from '../text.ts';
import { findLead, LEAD_TEXT } from './find.ts';

/** The commands by which an operator writes down what happened elsewhere. */
export function addWriteCommands(lead: Command, run: Run): void {
  lead
    .command('respond')
    .description('Record that the agent responded: the response clock stops.')
    .argument('<text>', LEAD_TEXT)
    .option(
      '--at <time>',
      'when: 20m for 20 minutes ago, or a time such as 2026-11-01T08:00',
      since,
    )
    .option(
      '--yes',
      'also where nobody has held the lead, or a response is recorded already, without a question',
      false,
    )
    .action(run(respond));
  lead
    .command('note')
    .description('Write a note to a lead; the erasure of its person deletes it.')
    .argument('<text>', LEAD_TEXT)
    .argument('<note>', 'in your own words')
    .action(run(writeNote));
}

/**
 * As an integrator's call does: its seconds are those from the customer's enquiry to the response, but may be more than 30
 * days, since a lead may be claimed after months. Of responses the last counts, so that a script may correct one; a person,
 * who may have typed it twice, is asked.
 */
async function respond(operator: Operator, text: string, options: { at?: Since; yes: boolean }) {
  const leadId = await findLead(operator, text);
  const [database, now] = [await operator.database(), operator.now()];
  const lead = await readLeadOverview(database, leadId, operator.config.companyName);
  const at = options.at?.(now, operator.config.companyTimeZone) ?? now;
  const seconds = Math.round((at.getTime() - (lead?.createdAt ?? now).getTime()) / 1000);
  if (at > now || seconds < 0)
    throw new OperatorError('The response comes after the enquiry, and not in the future.');
  if (lead?.holder && lead.assignedAt && at < lead.assignedAt)
    throw new OperatorError(
      `${lead.holder.name} got the lead only after that; see leadctl lead show ${leadId}.`,
    );
  const history = await readAssignmentHistory(database, leadId);
  const isHeldByNobody = !lead?.holder && history.every(({ agent }) => agent === null);
  if (isHeldByNobody)
    await confirm(
      operator,
      `Nobody has held lead ${leadId}: leadctl lead assign gives it to the agent who responded, and no response clock starts for anybody once a response is recorded.`,
      options,
    );
  const replaced =
    lead && lead.responseSeconds !== null
      ? replacedText(lead, operator.config.companyTimeZone)
      : null;
  if (replaced && canAsk(operator)) await confirm(operator, replaced, options);
  const recordedBy = { reader: null, readerName: 'An operator' };
  const response = { leadId, seconds, at: now, respondedAt: at, ...recordedBy };
  const { recordResponse } = await import('../../store/assignment/record-response.ts');
  await recordResponse(database, { ...response, newId: randomUUID });
  const whose = lead?.holder ? `The response of ${lead.holder.name}` : 'A response';
  const done = `${whose} is recorded, ${durationText(seconds)} after the enquiry.`;
  const view = { leadId, seconds, respondedAt: at, holder: lead?.holder ?? null, replaced };
  operator.show(view, () => (replaced ? `${done}\n${replaced}` : done));
}

function replacedText(
  { holder, respondedAt, responseSeconds, responseInSeconds }: LeadOverview,
  timeZone: string,
): string {
  const whose =
    holder && responseInSeconds === null ? 'a response of an earlier agent' : 'a response';
  const after = durationText(responseSeconds ?? 0);
  return `This takes the place of ${whose} ${after} after the enquiry, ${timeText(respondedAt, timeZone)}.`;
}

const LONGEST_NOTE = 10_000;

async function writeNote(operator: Operator, text: string, note: string) {
  if (note.trim() === '') throw new OperatorError('The note is empty.');
  if (note.length > LONGEST_NOTE) throw new OperatorError('A note has at most 10,000 characters.');
  const leadId = await findLead(operator, text);
  const [author, now] = [operator.author, operator.now()];
  const written = { id: randomUUID(), leadId, handOverId: null, author, text: note, now };
  if (!(await insertOperatorText(await operator.database(), written)))
    throw new OperatorError('The person of this lead was erased: it takes no note.');
  operator.show({ leadId, author, note }, () => `Noted; leadctl lead show ${leadId} shows it.`);
}
