import type { HandOverTarget } from '../../domain/assignment/hand-over.ts';
import type { Left, Moved } from '../../store/assignment/hand-overs.ts';
import type { HandOverOutcome, HandOverRefusal } from '../../workflows/contracts/lead-lifecycle.ts';
import { tableText } from '../table.ts';
import { nameOf, poolText, type Names } from '../text.ts';

/** Of a lead that an agent got with the response of an earlier one. */
export const ANSWERED_BEFORE =
  'An earlier agent responded: no response clock runs, and the time of the new one counts from now.';

type Place = HandOverTarget | Moved['to'];

interface View {
  leadId: string;
  names: Record<string, string>;
  warnings: string[];
}

/** Where a lead is after it was handed over, or was before. */
export function handOverText(
  { leadId, warnings, ...view }: View,
  outcome: HandOverOutcome,
  target: HandOverTarget,
): string {
  const names = new Map(Object.entries(view.names));
  const place = isIn(leadId, outcome.moved ? outcome.to : target, names);
  const seeWhy = target.kind === 'rules' ? ` leadctl lead explain ${leadId} says why.` : '';
  const text = outcome.moved ? `now.${seeWhy}` : 'already: nothing was changed.';
  return [`${place} ${text}`, ...warnings].join('\n');
}

function isIn(leadId: string, place: Place, names: Names): string {
  if (place.kind === 'agent') return `${nameOf(place.agentId, names)} holds lead ${leadId}`;
  if (place.kind === 'waiting') return `Lead ${leadId} waits for an agent`;
  const where = place.kind === 'pool' ? `in ${poolText(place.poolId, names)}` : 'unassigned';
  return `Lead ${leadId} is ${where}`;
}

const REFUSALS: Record<HandOverRefusal, string> = {
  unknown_lead: 'there is no such lead',
  personal: 'Personal distribution',
  unknown_request: 'its request is not known',
  agent_not_active: 'the agent is not active any more',
  there_already: 'it is there already',
  not_held: 'the agent does not hold it any more',
  changed: 'it was moved meanwhile',
  responded: 'a response was recorded',
  no_clock: 'no response clock runs',
};

export function refusalText(leadId: string, reason: HandOverRefusal): string {
  if (reason === 'unknown_lead') return `There is no lead ${leadId}.`;
  if (reason !== 'personal') return `Lead ${leadId} stays where it is: ${REFUSALS[reason]}.`;
  const only = 'Only leadctl lead assign --personal moves it.';
  return `Lead ${leadId} is one of Personal distribution and stays with its agent. ${only}`;
}

const REASONS: Record<Left['reason'], string> = {
  personal: 'Personal distribution',
  responded: 'a response is recorded',
  no_clock: 'no response clock runs',
  still_held: 'still held: run the command again',
};

interface ReleaseView extends Omit<View, 'leadId'> {
  agent: { name: string };
  moved: readonly Moved[];
  left: readonly Left[];
}

/** What a release moved where, and what it left. */
export function releaseText({ agent, moved, left, warnings, ...view }: ReleaseView): string {
  const names = new Map(Object.entries(view.names));
  const rows = [
    ...moved.map(({ to, leads }) => [placeText(to, names), leads, '']),
    ...left.map(({ reason, leads }) => [`left to ${agent.name}`, leads, REASONS[reason]]),
  ];
  const table = tableText(['moved to', 'leads', 'why'], rows, `${agent.name} holds no lead.`);
  return [table, ...warnings].join('\n');
}

interface ManyView extends Omit<View, 'leadId'> {
  moved: readonly Moved[];
  refused: readonly { reason: HandOverRefusal; leads: number }[];
  left: number;
}

/** What a request moved where, in all its runs, and what it left. */
export function manyText({ moved, refused, left, warnings, ...view }: ManyView): string {
  const names = new Map(Object.entries(view.names));
  const rows = [
    ...moved.map(({ to, leads }) => [placeText(to, names), leads, '']),
    ...refused.map(({ reason, leads }) => ['not moved', leads, REFUSALS[reason]]),
    ...(left > 0
      ? [['still there', left, 'run the command again, with the same --request-id']]
      : []),
  ];
  const table = tableText(['moved to', 'leads', 'why'], rows, 'No such lead.');
  return [table, ...warnings].join('\n');
}

function placeText(to: Moved['to'], names: Names): string {
  if (to.kind === 'agent') return nameOf(to.agentId, names);
  if (to.kind === 'pool') return poolText(to.poolId, names);
  return to.kind === 'waiting'
    ? 'the rules: they wait for an agent'
    : 'nobody: no rule placed them';
}
