import { assertNever } from '../../domain/assert-never.ts';
import type { Condition } from '../../domain/routing/condition-schema.ts';
import { expiryPoolId } from '../../domain/routing/follow-up.ts';
import type { Eligibility, Rule } from '../../domain/routing/rule-schema.ts';
import { nameOf, poolText } from '../text.ts';
import type { Names } from '../text.ts';
import { wantedText } from './explanation.ts';

/** A rule in the words that the operator wrote it with. */

export function conditionsText({ when }: Rule, names: Names): string {
  if (when.length === 0) return 'always';
  return when
    .map((all) => all.map((each) => conditionText(each, names)).join('\nand '))
    .join('\nor ');
}

function conditionText({ field, op, values, onMissing }: Condition, names: Names): string {
  const missing = onMissing === 'pass' ? ', or none' : '';
  return `${field}: ${wantedText(op, values, names)}${missing}`;
}

export function targetText({ target, strategy }: Rule, names: Names): string {
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

export function gatesText({ language, location, availability, caps }: Eligibility): string {
  return [
    ...(language === 'off' ? [] : [`language: ${language}`]),
    ...(location === 'off' ? [] : [`location: ${location}`]),
    ...(availability === 'working_hours' ? ['in working hours'] : []),
    ...(caps ? [] : ['caps ignored']),
  ].join('\n');
}

export function exhaustedText({ target, onExhausted }: Rule, names: Names): string {
  if (target.kind === 'pool') return '';
  switch (onExhausted.kind) {
    case 'next':
      return 'next rule';
    case 'pool':
      return poolText(onExhausted.poolId, names);
    case 'unassigned':
      return 'unassigned';
    default:
      return assertNever(onExhausted);
  }
}

export function followUpText(rule: Rule, names: Names): string {
  const { minutes, onExpiry, maxMoves } = rule.followUp;
  if (minutes === 0) return 'no clock';
  const after = minutes === null ? 'in time' : `in ${minutes} min`;
  if (rule.target.kind === 'pool') return `once claimed,\n${after}: a note`;
  switch (onExpiry) {
    case 'note':
      return `${after}: a note`;
    case 'reassign':
      return `${after}: next agent,\nat most ${maxMoves} times`;
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
