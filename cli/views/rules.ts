import { assertNever } from '../../domain/assert-never.ts';
import type { Condition } from '../../domain/routing/condition.ts';
import { expiryPoolId, type routingDefaults } from '../../domain/routing/follow-up-terms.ts';
import { type Eligibility, type Leave, type Rule } from '../../domain/routing/rules.ts';
import { rulesInOrder } from '../../domain/routing/match-rules.ts';
import type { RulesetEntry, RulesetVersion } from '../../store/routing/rulesets.ts';
import type { DecisionEntry } from '../../store/routing/stored-decisions.ts';
import { tableOf, wrapLines } from '../table.ts';
import { count, nameOf, poolText, timeText, type Names } from '../text.ts';
import { wantedText } from './explanation.ts';

type Defaults = ReturnType<typeof routingDefaults>;

export function rulesetText(ruleset: RulesetEntry, names: Names, defaults: Defaults): string {
  return [
    wrapLines(headline(ruleset)),
    rulesText(ruleset, names, defaults),
    ...disabledText(ruleset).map(wrapLines),
  ].join('\n');
}

function headline({ version, isActive, author, createdAt, activatedAt }: RulesetEntry): string {
  const since = isActive ? `, active since ${timeText(activatedAt)}` : ', not active';
  return `Ruleset ${version} by ${author}, made ${timeText(createdAt)}${since}`;
}

/** In the order in which they are tried for a lead that no rule claims. */
function rulesText({ rules }: RulesetEntry, names: Names, defaults: Defaults): string {
  const table = tableOf<Rule>(
    {
      order: 'order',
      rule: ({ name, claims }) => [name, ...claims.map((claim) => `claims ${claim}`)].join('\n'),
      when: (rule) => conditionsText(rule, names),
      'goes to': (rule) => targetText(rule, names),
      gates: ({ gates }) => gatesText(gates),
      'nobody can': (rule) => exhaustedText(rule, names),
      'no response': (rule) => followUpText(rule, names, defaults),
    },
    { none: 'No rules: every lead stays unassigned.' },
  );
  return table(rulesInOrder({ rules }, { distributionType: null }).map(({ rule }) => rule));
}

function conditionsText({ when }: Rule, names: Names): string {
  if (when.length === 0) return 'always';
  return when
    .map((all) => all.map((each) => conditionText(each, names)).join('\nand '))
    .join('\nor ');
}

function conditionText({ field, op, values, onMissing }: Condition, names: Names): string {
  const missing = onMissing === 'pass' ? ', or none' : '';
  return `${field}: ${wantedText(op, values, names)}${missing}`;
}

function targetText({ target, strategy }: Rule, names: Names): string {
  switch (target.kind) {
    case 'team':
      return `team ${nameOf(target.teamId, names)}\nby ${strategy.replaceAll('_', ' ')}`;
    case 'agent':
      return nameOf(target.agentId, names);
    case 'pool':
      return poolText(target.poolId, names);
    default:
      return assertNever(target);
  }
}

function gatesText({ language, location, availability, caps }: Eligibility): string {
  return [
    ...(language === 'off' ? [] : [`language: ${language}`]),
    ...(location === 'off' ? [] : [`location: ${location}`]),
    ...(availability === 'working_hours' ? ['in working hours'] : []),
    ...(caps ? [] : ['caps ignored']),
  ].join('\n');
}

function exhaustedText({ target, onExhausted }: Rule, names: Names): string {
  if (target.kind === 'pool') return '';
  if (onExhausted.kind !== 'wait') return leaveText(onExhausted, names);
  return `waits up to ${onExhausted.atMostMinutes} min,\nthen ${leaveText(onExhausted.then, names)}`;
}

function leaveText(leave: Leave, names: Names): string {
  switch (leave.kind) {
    case 'next':
      return 'next rule';
    case 'pool':
      return poolText(leave.poolId, names);
    case 'unassigned':
      return 'unassigned';
    default:
      return assertNever(leave);
  }
}

function followUpText(rule: Rule, names: Names, { followUpMinutes }: Defaults): string {
  const { minutes, clock, onExpiry, maxMoves } = rule.followUp;
  if (minutes === 0) return 'no clock';
  const time = minutes === null ? `in ${followUpMinutes} min (the default)` : `in ${minutes} min`;
  const after = clock === 'working' ? `${time}, working time` : time;
  if (rule.target.kind === 'pool') return `once claimed,\n${after}: a note`;
  switch (onExpiry) {
    case 'note':
      return `${after}: a note`;
    case 'reassign':
      return `${after}: next agent,\nat most ${maxMoves === 1 ? 'once' : `${maxMoves} times`}`;
    case 'pool':
      return `${after}: ${expiryPoolText(rule, names)}`;
    default:
      return assertNever(onExpiry);
  }
}

function expiryPoolText(rule: Rule, names: Names): string {
  const poolId = expiryPoolId(rule);
  return poolId === null ? 'a note,\nsince no pool is named' : poolText(poolId, names);
}

function disabledText({ rules }: RulesetEntry): string[] {
  const disabled = rules.filter(({ enabled }) => !enabled).map(({ name }) => `'${name}'`);
  if (disabled.length === 0) return [];
  return [`${count(disabled.length, 'rule')} switched off: ${disabled.join(', ')}`];
}

const HASH_DIGITS = 12;

const versionsTable = tableOf<RulesetVersion>(
  {
    version: 'version',
    '': stateOf,
    rules: 'rules',
    'made by': 'author',
    made: 'createdAt',
    'last activated': 'activatedAt',
    by: 'activatedBy',
    hash: ({ contentHash }) => contentHash.slice(0, HASH_DIGITS),
  },
  {
    narrow: {
      version: 'version',
      '': stateOf,
      rules: 'rules',
      'made by': 'author',
      'last activated': 'activatedAt',
    },
  },
);

/** Newest first. An import that is rolled back, as each dry run is, leaves its number unused. */
export function versionsText(versions: readonly RulesetVersion[]): string {
  const hasGaps = (versions[0]?.version ?? 0) > versions.length;
  const note =
    'No version is lost: a number that is missing was of a dry run or of an import that failed.';
  return [versionsTable(versions), ...(hasGaps ? [wrapLines(note)] : [])].join('\n');
}

function stateOf({ isActive }: RulesetVersion): string {
  return isActive ? 'active' : '';
}

export interface CheckView {
  since: Date;
  checked: number;
  differing: DifferingDecision[];
  waitingByEarlierRules: number;
}

interface DifferingDecision extends Pick<
  DecisionEntry,
  'leadId' | 'round' | 'move' | 'decidedAt' | 'rulesetVersion'
> {
  differences: string[];
}

export function checkText({ since, checked, differing, ...rest }: CheckView): string {
  const checkedText = `${count(checked, 'decision')} since ${timeText(since)} made again`;
  const { waitingByEarlierRules: waiting } = rest;
  const lines =
    differing.length === 0
      ? [`${checkedText}: all come out the same.`]
      : [`${checkedText}.`, differingText(differing)];
  if (waiting > 0)
    lines.push(
      `${count(waiting, 'lead')} still waiting by earlier rules: the worker decides them again.`,
    );
  return lines.join('\n');
}

const differingText = tableOf<DifferingDecision>({
  lead: 'leadId',
  round: 'round',
  move: 'move',
  decided: 'decidedAt',
  ruleset: 'rulesetVersion',
  difference: ({ differences }) => differences.join('\n'),
});
