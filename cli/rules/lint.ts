import { assertNever } from '../../domain/assert-never.ts';
import { withDataset } from '../../domain/catalogue/dataset/resolve-rules.ts';
import { factFound, type ConditionField, type LeadFacts } from '../../domain/routing/condition.ts';
import {
  lintRules,
  type Flaw,
  type LintRecords,
  type RuleWarning,
} from '../../domain/routing/lint-rules.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { readLintRecords, readRulesetEntry } from '../../store/routing/rulesets.ts';
import { readFactsSince } from '../../store/routing/stored-decisions.ts';
import { since, type Since } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count, figure, poolText, timeText, type Names } from '../text.ts';
import { factText, failedText } from '../views/explanation.ts';
import { keysById, readRules, WITHOUT_LISTINGS } from './rules-file.ts';

const LINTED_AGE = '30d';

interface LintOptions {
  since: Since;
  strict: boolean;
}

/** Warns of what is wrong with the rules of a file; with `strict` fails where anything is. */
export async function lintFile(operator: Operator, file: string, options: LintOptions) {
  const read = await readRules(operator, file, WITHOUT_LISTINGS);
  const records = withDataset(await readLintRecords(await operator.database()), read);
  const active = (await readRulesetEntry(await operator.database()))?.rules ?? [];
  const lint = await lintAll(operator, { active, rules: read.rules }, records, options.since);
  const shownIds = JSON.stringify(lint.warnings);
  for (const [id, key] of keysById(read.ids)) if (shownIds.includes(id)) lint.names[id] ??= key;
  operator.show({ file, ...lint }, lintText);
  if (!options.strict || lint.warnings.length === 0) return;
  throw new OperatorError(`${file} has ${count(lint.warnings.length, 'warning')}.`);
}

export async function lintActiveRules(operator: Operator) {
  const database = await operator.database();
  const { rules = [] } = (await readRulesetEntry(database)) ?? {};
  const records = await readLintRecords(database);
  return lintAll(operator, { active: rules, rules }, records, since(LINTED_AGE));
}

/** Past leads are read, and counted, only where a warning could be about them. */
async function lintAll(
  operator: Operator,
  { active, rules }: Record<'active' | 'rules', readonly Rule[]>,
  records: LintRecords,
  sinceOf: Since,
) {
  const database = await operator.database();
  const { warnings, add } = lintRules({ active, rules }, records);
  const from = sinceOf(operator.now(), operator.config.companyTimeZone);
  let leads = 0;
  if (warnings.length > 0)
    for await (const { facts } of readFactsSince(database, from)) {
      add(facts);
      leads += 1;
    }
  const names = Object.fromEntries(await readRecordNames(database, warnings));
  return { rules: rules.length, since: from, leads, warnings, names };
}

type LintView = Awaited<ReturnType<typeof lintAll>>;

export function lintText(view: LintView): string {
  if (view.warnings.length === 0) return `${count(view.rules, 'rule')}: nothing is wrong.`;
  return view.warnings.map((warning) => warningText(warning, view)).join('\n');
}

function warningText(
  { rule, order, flaw, example, leads }: RuleWarning,
  { leads: all, since, names }: LintView,
) {
  return [
    `Rule '${rule}' (order ${order}) ${flawText(flaw, names)}.`,
    ...(example ? [`  such a lead: ${exampleText(example, names)}`] : []),
    `  ${figure(leads)} of ${count(all, 'lead')} since ${timeText(since)}`,
  ].join('\n');
}

function flawText(flaw: Flaw, names: Names): string {
  switch (flaw.kind) {
    case 'never_reached':
      return `is never reached: ${quoted(flaw.by)} before it ${flaw.by.length === 1 ? 'takes' : 'take'} every lead that it matches`;
    case 'not_last':
      return `has no conditions, but others come after it: ${quoted(flaw.before)}`;
    case 'contradiction':
      return `has conditions that no lead meets, in alternative ${flaw.alternative}: ${failedText(flaw.failed, names)}`;
    case 'two_values': {
      const what = flaw.failed.field === 'budget' ? 'a range of amounts' : 'two places';
      return `matches, in alternative ${flaw.alternative}, only leads with ${what}: ${failedText(flaw.failed, names)}`;
    }
    case 'claimed_twice':
      return `claims ${flaw.type}, as '${flaw.by}' before it does`;
    case 'nobody':
      return flaw.agents === 0
        ? 'goes to nobody: its team has no agents'
        : `goes to nobody: of ${count(flaw.agents, 'agent')} none is active with a cap above 0`;
    case 'pool_off':
      return `names ${poolText(flaw.poolId, names)}, which is switched off`;
    case 'not_covered':
      return `requires the ${flaw.field}, and none of its agents has ${factText(flaw.value, names)}`;
    case 'no_next_agent':
      return 'reassigns leads without a response, but to no other agent';
    case 'no_expiry_pool':
      return 'moves leads without a response to a pool, but names none';
    case 'missing':
      return 'is active and not in these rules: an import switches it off';
    case 'switched_off':
      return 'is active and switched off in these rules';
    case 'emptied':
      return flaw.field === 'when'
        ? 'loses its conditions and matches every lead'
        : 'claims no distribution type any more';
    case 'moved':
      return flaw.behind === null ? 'is moved to the front' : `is moved behind '${flaw.behind}'`;
    default:
      return assertNever(flaw);
  }
}

const quoted = (rules: readonly string[]) => rules.map((rule) => `'${rule}'`).join(', ');

/** What the lead has; a flag only where it is set. */
function exampleText(lead: LeadFacts, names: Names): string {
  const fields = Object.keys(lead).filter((field) => !field.endsWith('AgentIds'));
  const shown = (fields as ConditionField[]).flatMap((field) => {
    const found = factFound(field, lead).filter((value) => value !== null && value !== false);
    const texts = [...new Set(found)].map((value) => factText(value, names));
    return texts.length > 0 ? [`${field} ${texts.join(', ')}`] : [];
  });
  return shown.join('; ') || 'any, with or without details';
}
