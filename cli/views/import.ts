import { assertNever } from '../../domain/assert-never.ts';
import type { DatasetChanges, RecordChange } from '../../app/dataset/changes.ts';
import type { ImportPlan } from '../../app/dataset/import.ts';
import { hasLosses, type ImportLosses, type MissingRecords } from '../../app/dataset/losses.ts';
import { formatHours, type WorkingHours } from '../../domain/routing/working-hours.ts';
import type { RuleLoss } from '../../domain/routing/ruleset-losses.ts';
import { sectionNames, type SectionName } from '../../store/dataset/record-ids.ts';
import { COUNT_NAMES } from '../../store/dataset/section.ts';
import { tableText } from '../table.ts';
import { count, cutNote } from '../text.ts';

export function planView({ counts, changes, losses, warnings, rulesets }: ImportPlan) {
  const { before, after } = rulesets;
  const undo = before !== null && before !== after ? `leadctl rules activate ${before}` : null;
  return {
    ...counts,
    ...(Object.keys(changes).length > 0 ? { changes } : {}),
    ...(hasLosses(losses) ? { losses } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(undo === null ? {} : { undo }),
  };
}

type PlanView = ReturnType<typeof planView> & { dryRun?: boolean };

export function importText(view: PlanView): string {
  const rows = sectionNames.flatMap((section) => {
    const counts = view[section];
    return counts ? [[section, ...COUNT_NAMES.map((name) => counts[name])]] : [];
  });
  const none = 'The file has no section: nothing was imported.';
  return [
    tableText(['section', ...COUNT_NAMES.map((name) => HEADINGS[name] ?? name)], rows, none),
    ...changeLines(view.changes ?? {}),
    ...(view.dryRun && view.losses ? lossLines(view.losses) : []),
    ...(view.dryRun ? ['Nothing was imported: this was a dry run.'] : []),
  ].join('\n');
}

export function warningLines({ warnings = [] }: PlanView): string[] {
  return warnings.map(
    ({ message, agents = [], domains = agents }) => `Warning: ${message}: ${firstNamed(domains)}.`,
  );
}

/** Records with an active flag are disabled, others removed. */
const HEADINGS: Readonly<Record<string, string>> = { disabled: 'switched off or removed' };

function changeLines(changes: DatasetChanges): string[] {
  return sectionNames.flatMap((section) => {
    const found = changes[section];
    if (!found) return [];
    const { total, records } = found;
    const rest = cutNote({ rows: records, total }, 'record');
    return [`${section}:`, ...records.flatMap(recordLines), ...(rest ? [`  ${rest}`] : [])];
  });
}

export function recordLines({ record, change, fields }: RecordChange): string[] {
  if (change !== 'updated') return [`  ${record}: ${change === 'created' ? 'new' : 'removed'}`];
  return fields.map(
    ({ field, before, after }) =>
      `  ${record}: ${field} ${fieldText(before, field)} → ${fieldText(after, field)}`,
  );
}

function fieldText(value: unknown, field: string): string {
  if (field === 'workingHours') return formatHours((value ?? {}) as WorkingHours);
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function rulesDiffText(diff: { changes: RecordChange[]; losses: RuleLoss[] }): string {
  const { changes, losses } = diff;
  if (changes.length === 0) return 'The rules are the same.';
  return [...changes.flatMap(recordLines), ...losses.map(ruleLossText)].join('\n');
}

export function lossLines(losses: ImportLosses): string[] {
  const { rules, emptiedTeams, subSources, absences, datedHours, holidays, missing } = losses;
  return [
    ...rules.map(ruleLossText),
    ...emptiedTeams.map(
      (team) => `Team '${team}', which an active rule needs, has no members left.`,
    ),
    ...subSources
      .slice(0, NAMED_LOSSES)
      .map(
        ({ name, rules: naming }) =>
          `Active rules name the sub-source '${name}', which is switched off, so no lead has it: ${firstNamed(naming)}.`,
      ),
    ...(subSources.length > NAMED_LOSSES
      ? [`Active rules name ${subSources.length - NAMED_LOSSES} more that are switched off.`]
      : []),
    ...removedLine(datedHours, 'period of dated hours', 'periods of dated hours'),
    ...removedLine(absences, 'absence'),
    ...removedLine(holidays, 'holiday'),
    ...missing.map(missingLine),
  ];
}

/** Has no full stop. Undefined if records are deleted. */
export function lossOutlook(losses: ImportLosses): string | undefined {
  const { rules, absences, datedHours, holidays, missing } = losses;
  if (rules.length > 0) return 'leadctl rules activate takes rules back';
  const deleted = [...absences, ...datedHours, ...holidays];
  const isDeleted = deleted.length > 0 || missing.some(({ section }) => FLAGLESS.has(section));
  return isDeleted ? undefined : 'A later import can take this back';
}

const NAMED_LOSSES = 20;

function removedLine(records: readonly string[], what: string, plural?: string): string[] {
  if (records.length === 0) return [];
  return [`${count(records.length, what, plural)} would be removed: ${firstNamed(records)}.`];
}

function firstNamed(records: readonly string[], total = records.length): string {
  const shown = records.slice(0, NAMED_LOSSES);
  const rest = total - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const FLAGLESS: ReadonlySet<SectionName> = new Set([
  'quizFields',
  'knownAgents',
  'competitorDomains',
]);

function missingLine({ section, total, names, rules, held }: MissingRecords): string {
  const fate = FLAGLESS.has(section) ? 'deleted' : 'switched off';
  const named = names.length > 0 ? `: ${firstNamed(names, total)}` : '';
  const holders = held
    ? ` ${held.agents} of them ${held.agents === 1 ? 'holds' : 'hold'} ${count(held.leads, 'lead')} without a response.`
    : '';
  const needed = rules.length > 0 ? ` Active rules need them: ${firstNamed(rules)}.` : '';
  return `${section}: ${total} that the file leaves out would be ${fate}${named}.${holders}${needed}`;
}

function waitingText({ waiting = 0 }: { waiting?: number }): string {
  if (waiting === 0) return '';
  const wait = waiting === 1 ? 'waits' : 'wait';
  return ` ${count(waiting, 'lead')} that ${wait} by it will be decided by the new rules.`;
}

export function ruleLossText(loss: RuleLoss): string {
  switch (loss.kind) {
    case 'missing':
      return `Rule '${loss.rule}' is not in the new rules and is switched off.${waitingText(loss)}`;
    case 'switched_off':
      return `Rule '${loss.rule}' is switched off.${waitingText(loss)}`;
    case 'emptied':
      return loss.field === 'when'
        ? `Rule '${loss.rule}' has no conditions left and matches every lead.`
        : `Rule '${loss.rule}' claims no distribution type any more.`;
    case 'moved':
      return loss.behind === null
        ? `Rule '${loss.rule}' is moved and is tried first.`
        : `Rule '${loss.rule}' is moved and is tried after '${loss.behind}'.`;
    default:
      return assertNever(loss);
  }
}
