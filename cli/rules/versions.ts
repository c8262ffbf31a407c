import { assertNever } from '../../domain/assert-never.ts';
import type { Condition } from '../../domain/routing/condition.ts';
import { expiryPoolId, routingDefaults, type Defaults } from '../../domain/routing/follow-up.ts';
import { rulesInOrder } from '../../domain/routing/match-rules.ts';
import type { Eligibility, Leave, Rule } from '../../domain/routing/rules.ts';
import { findRuleLosses, withWaiting } from '../../domain/routing/ruleset-losses.ts';
import { countWaitsByRule } from '../../store/leads/waiting-leads.ts';
import {
  activateRuleset,
  readRecordNames,
  readRulesetEntry,
  readRulesetVersions,
  RulesActivatedError,
  type RulesetEntry,
  type RulesetVersion,
} from '../../store/routing/rulesets.ts';
import { confirm } from '../confirm.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { tableOf } from '../table.ts';
import { count, fieldLines, nameOf, poolText, timeText, type Names } from '../text.ts';
import { wantedText } from '../views/explanation.ts';

export async function findRuleset(operator: Operator, version?: number): Promise<RulesetEntry> {
  const ruleset = await readRulesetEntry(await operator.database(), version);
  if (ruleset) return ruleset;
  throw new OperatorError(`Ruleset ${version} not found; see leadctl rules versions.`);
}

export async function showRules(operator: Operator, { version }: { version?: number }) {
  const ruleset = await findRuleset(operator, version);
  const names = await readRecordNames(await operator.database(), ruleset.rules);
  const defaults = routingDefaults(operator.config);
  operator.show({ ...ruleset, names: Object.fromEntries(names) }, (shown) =>
    rulesetText(shown, defaults),
  );
}

export async function listVersions(operator: Operator) {
  operator.show(await readRulesetVersions(await operator.database()), versionsText);
}

export async function activateVersion(
  operator: Operator,
  version: number,
  options: { yes: boolean },
) {
  const { rules } = await findRuleset(operator, version);
  const database = await operator.database();
  const active = await readRulesetEntry(database);
  const found = findRuleLosses(active?.rules ?? [], rules);
  const losses = withWaiting(found, await countWaitsByRule(database));
  if (active && losses.length > 0) {
    const { ruleLossText } = await import('../views/import.ts');
    const outlook = `${activateCommand(active.version)} takes it back`;
    await confirm(operator, losses.map(ruleLossText), options, outlook);
  }
  const activation = { version, author: operator.author, now: operator.now() };
  const replacing = active?.version;
  const replaced = await activateRuleset(database, { ...activation, replacing }).catch(refuse);
  const undo = replaced === null ? null : activateCommand(replaced);
  operator.show({ version, rules: rules.length, changed: undo !== null, undo }, () =>
    undo
      ? `Ruleset ${version} with ${count(rules.length, 'rule')} is active from the next decision on. ${undo} takes it back.`
      : `Ruleset ${version} is active already.`,
  );
}

function refuse(error: unknown): never {
  if (!(error instanceof RulesActivatedError)) throw error;
  throw new OperatorError(
    'Somebody else activated rules meanwhile, so nothing was changed. Run it again.',
  );
}

const activateCommand = (version: number) => `leadctl rules activate ${version}`;

function rulesetText(ruleset: RulesetEntry & { names: Names }, defaults: Defaults): string {
  const { version, isActive, author, createdAt, activatedAt, rules } = ruleset;
  const since = isActive ? `, active since ${timeText(activatedAt)}` : ', not active';
  const disabled = rules.filter(({ enabled }) => !enabled).map(({ name }) => `'${name}'`);
  return [
    `Ruleset ${version} by ${author}, made ${timeText(createdAt)}${since}`,
    rulesText(ruleset, defaults),
    ...(disabled.length > 0
      ? [`${count(disabled.length, 'rule')} switched off: ${disabled.join(', ')}`]
      : []),
  ].join('\n');
}

/** In the order for a lead that no rule claims. */
function rulesText({ rules, names }: RulesetEntry & { names: Names }, defaults: Defaults): string {
  if (rules.length === 0) return 'No rules: every lead stays unassigned.';
  return rulesInOrder({ rules }, { distributionType: null })
    .map(({ rule }) => ruleText(rule, names, defaults))
    .join('\n');
}

function ruleText(rule: Rule, names: Names, defaults: Defaults): string {
  const fields = fieldLines([
    ['claims', rule.claims],
    ['when', conditionsText(rule, names)],
    ['goes to', targetText(rule, names)],
    ['gates', gatesText(rule.gates)],
    ['nobody can', exhaustedText(rule, names)],
    ['no response', followUpText(rule, names, defaults)],
  ]);
  return `${rule.order}  ${rule.name}\n${fields.replace(/^/gm, '    ')}`;
}

function conditionsText({ when }: Rule, names: Names): string {
  if (when.length === 0) return 'always';
  return when
    .map((all) => all.map((each) => conditionText(each, names)).join(' and '))
    .join(', or ');
}

function conditionText({ field, op, values, onMissing }: Condition, names: Names): string {
  const missing = onMissing === 'pass' ? ', or none' : '';
  return `${field}: ${wantedText(op, values, names)}${missing}`;
}

function targetText({ target, strategy }: Rule, names: Names): string {
  switch (target.kind) {
    case 'team':
      return `team ${nameOf(target.teamId, names)} by ${strategy.replaceAll('_', ' ')}`;
    case 'agent':
      return nameOf(target.agentId, names);
    case 'pool':
      return poolText(target.poolId, names);
    default:
      return assertNever(target);
  }
}

function gatesText({ availability, caps, ...wishes }: Eligibility): string {
  return [
    ...Object.entries(wishes).flatMap(([gate, how]) => (how === 'off' ? [] : [`${gate}: ${how}`])),
    ...(availability === 'working_hours' ? ['in working hours'] : []),
    ...(caps ? [] : ['caps ignored']),
  ].join(', ');
}

function exhaustedText({ target, onExhausted }: Rule, names: Names): string {
  if (target.kind === 'pool') return '';
  if (onExhausted.kind !== 'wait') return leaveText(onExhausted, names);
  return `waits up to ${onExhausted.atMostMinutes} min, then ${leaveText(onExhausted.then, names)}`;
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
  if (rule.target.kind === 'pool') return `once claimed, ${after}: a note`;
  switch (onExpiry) {
    case 'note':
      return `${after}: a note`;
    case 'reassign':
      return `${after}: next agent, at most ${maxMoves === 1 ? 'once' : `${maxMoves} times`}`;
    case 'pool':
      return `${after}: ${expiryPoolText(rule, names)}`;
    default:
      return assertNever(onExpiry);
  }
}

function expiryPoolText(rule: Rule, names: Names): string {
  const poolId = expiryPoolId(rule);
  return poolId === null ? 'a note, since no pool is named' : poolText(poolId, names);
}

const HASH_DIGITS = 12;

const versionsTable = tableOf<RulesetVersion>({
  version: 'version',
  '': ({ isActive }) => (isActive ? 'active' : ''),
  rules: 'rules',
  'made by': 'author',
  made: 'createdAt',
  'last activated': 'activatedAt',
  by: 'activatedBy',
  hash: ({ contentHash }) => contentHash.slice(0, HASH_DIGITS),
});

/** Newest first. A rolled back import, such as a dry run, leaves a gap. */
function versionsText(versions: readonly RulesetVersion[]): string {
  const hasGaps = (versions[0]?.version ?? 0) > versions.length;
  const note =
    'No version is lost: a number that is missing was of a dry run or of an import that failed.';
  return [versionsTable(versions), ...(hasGaps ? [note] : [])].join('\n');
}
