import { rulesInOrder } from '../../domain/routing/match-rules.ts';
import type { RulesetEntry, RulesetVersion } from '../../store/routing/rulesets.ts';
import type { DecisionEntry } from '../../store/routing/stored-decisions.ts';
import { count, tableText, timeText } from '../text.ts';
import type { Names } from '../text.ts';
import { conditionsText, exhaustedText, followUpText, gatesText, targetText } from './rule.ts';

export function rulesetText(ruleset: RulesetEntry, names: Names): string {
  return [headline(ruleset), rulesText(ruleset, names), ...disabledText(ruleset)].join('\n');
}

function headline({ version, isActive, author, createdAt, activatedAt }: RulesetEntry): string {
  const since = isActive ? `, active since ${timeText(activatedAt)}` : ', not active';
  return `Ruleset ${version} by ${author}, made ${timeText(createdAt)}${since}`;
}

/** In the order in which they are tried for a lead that no rule claims. */
function rulesText({ rules }: RulesetEntry, names: Names): string {
  if (rules.length === 0) return 'No rules: every lead stays unassigned.';
  return tableText(
    ['order', 'rule', 'when', 'goes to', 'gates', 'nobody can', 'no response'],
    rulesInOrder({ rules }, { distributionType: null }).map(({ rule }) => [
      rule.order,
      [rule.name, ...rule.claims.map((claim) => `claims ${claim}`)].join('\n'),
      conditionsText(rule, names),
      targetText(rule, names),
      gatesText(rule.gates),
      exhaustedText(rule, names),
      followUpText(rule, names),
    ]),
  );
}

function disabledText({ rules }: RulesetEntry): string[] {
  const disabled = rules.filter(({ enabled }) => !enabled).map(({ name }) => `'${name}'`);
  if (disabled.length === 0) return [];
  return [`${count(disabled.length, 'rule')} switched off: ${disabled.join(', ')}`];
}

const HASH_DIGITS = 12;

export function versionsText(versions: readonly RulesetVersion[]): string {
  return tableText(
    ['version', '', 'rules', 'made by', 'made', 'last activated', 'by', 'hash'],
    versions.map((each) => [
      each.version,
      each.isActive ? 'active' : '',
      each.rules,
      each.author,
      timeText(each.createdAt),
      timeText(each.activatedAt),
      each.activatedBy,
      each.contentHash.slice(0, HASH_DIGITS),
    ]),
  );
}

type DecisionKey = Pick<
  DecisionEntry,
  'leadId' | 'round' | 'move' | 'decidedAt' | 'rulesetVersion'
>;

export interface CheckView {
  since: Date;
  checked: number;
  differing: (DecisionKey & { differences: string[] })[];
}

export function checkText({ since, checked, differing }: CheckView): string {
  const checkedText = `${count(checked, 'decision')} since ${timeText(since)} made again`;
  if (differing.length === 0) return `${checkedText}: all come out the same.`;
  const table = tableText(
    ['lead', 'round', 'move', 'decided', 'ruleset', 'difference'],
    differing.map((each) => [
      each.leadId,
      each.round,
      each.move,
      timeText(each.decidedAt),
      each.rulesetVersion,
      each.differences.join('\n'),
    ]),
  );
  return `${checkedText}.\n${table}`;
}
