import { assertNever } from '../../../domain/assert-never.ts';
import type { AgentVerdict, RuleTrace, Selection } from '../../../domain/routing/types.ts';
import { tableText } from '../operator.ts';
import { timeText } from '../text.ts';
import type { Names } from './explain-text.ts';

/** Who could take the lead under a rule, who was left out and why, and the arithmetic of the choice. */
export function agentsText(rule: RuleTrace, names: Names): string[] {
  switch (rule.outcome) {
    case 'chosen':
      return selectionText(rule.name, rule.selection, names);
    case 'exhausted':
      return rule.agents.length === 0 ? [] : [leftOutText(rule.name, rule.agents, names)];
    case 'not_matched':
    case 'not_reached':
      return [];
    default:
      return assertNever(rule);
  }
}

function selectionText(rule: string, selection: Selection, names: Names): string[] {
  if (selection.by === 'pool') return [];
  const { title, head, note, figures } = ARITHMETIC[selection.by](selection as never);
  const rows = selection.agents.map((verdict) => [
    names.get(verdict.agentId) ?? verdict.agentId,
    verdictText(verdict, selection.chosen),
    ...(figures.get(verdict.agentId) ?? head.map(() => '')),
  ]);
  const preferred = selection.preferred.map(
    (each) => `Those who fit the ${each} of the lead went first.`,
  );
  return [
    `Agents of '${rule}', ${title}:`,
    tableText(['agent', '', ...head], rows),
    ...note,
    ...preferred,
  ];
}

interface Arithmetic {
  title: string;
  head: string[];
  figures: Map<string, unknown[]>;
  note: string[];
}

type By<Kind extends Selection['by']> = Extract<Selection, { by: Kind }>;

const ARITHMETIC: {
  [Kind in Exclude<Selection['by'], 'pool'>]: (selection: By<Kind>) => Arithmetic;
} = {
  named_agent: () => ({ title: 'named by the rule', head: [], figures: new Map(), note: [] }),
  weighted_round_robin: ({ arithmetic }) => {
    const price = arithmetic.reduce((sum, { weight }) => sum + weight, 0);
    return {
      title: 'by weighted round robin',
      head: ['credit', '+ weight', '= claim', 'credit after'],
      figures: new Map(
        arithmetic.map(({ agentId, creditBefore, weight, creditAfter }) => [
          agentId,
          [creditBefore, weight, creditBefore + weight, creditAfter],
        ]),
      ),
      note: [`The highest claim takes the lead and pays ${price}, the weights of all eligible.`],
    };
  },
  least_loaded: ({ loads }) => ({
    title: 'by least loaded',
    head: ['open leads', 'today', 'last lead'],
    figures: new Map(
      loads.map(({ agentId, openLeads, assignedToday, lastAssignedAt }) => [
        agentId,
        [openLeads, assignedToday, lastAssignedAt ? timeText(lastAssignedAt) : 'never'],
      ]),
    ),
    note: ['Fewest open leads, then fewest today, then who has waited longest.'],
  }),
};

function leftOutText(rule: string, agents: readonly AgentVerdict[], names: Names): string {
  const rows = agents.map((verdict) => [
    names.get(verdict.agentId) ?? verdict.agentId,
    verdictText(verdict, null),
  ]);
  return [`Agents of '${rule}':`, tableText(['agent', ''], rows)].join('\n');
}

function verdictText(verdict: AgentVerdict, chosen: string | null): string {
  if (!verdict.eligible) return `left out: ${REASONS[verdict.reason]}`;
  return verdict.agentId === chosen ? 'chosen' : 'eligible';
}

const REASONS: Record<Extract<AgentVerdict, { eligible: false }>['reason'], string> = {
  not_in_roster: 'no such agent any more',
  inactive: 'not active',
  paused: 'paused',
  held_earlier_in_round: 'held the lead earlier in this round',
  daily_cap: 'has the leads of the day',
  open_cap: 'has as many open leads as allowed',
  outside_working_hours: 'outside working hours',
  language: 'does not speak the language',
  location: 'does not cover the place',
  others_preferred_for_language: 'others speak the language',
  others_preferred_for_location: 'others cover the place',
};
