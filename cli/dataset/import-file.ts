import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import type { GivenDataset } from '../../app/dataset/checks.ts';
import { withoutHeld, type ImportLosses } from '../../app/dataset/losses.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { withWaiting } from '../../domain/routing/ruleset-losses.ts';
import { formatIssue, type DatasetIssue } from '../../domain/validation-issues.ts';
import { readInactiveHolders, type InactiveHolder } from '../../store/assignment/hand-overs.ts';
import { loadReference } from '../../store/catalogue/reference.ts';
import type { SectionName } from '../../store/dataset/record-ids.ts';
import { countWaitsByRule } from '../../store/leads/waiting-leads.ts';
import { CANCELLED, confirm, type Consent } from '../confirm.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { createProgressBar } from '../progress-bar.ts';
import { lintAll, lintText } from '../rules/lint.ts';
import { count, oneLine } from '../text.ts';
import { importText, lossLines, lossOutlook, planView, warningLines } from '../views/import.ts';
import { issueInCsv, readDatasetFile } from './read-file.ts';
import {
  countResolvable,
  MOST_RESOLVABLE,
  resolveUnresolvedValues,
} from './resolve-unresolved-values.ts';
import { runImport } from './run-import.ts';

export interface ImportFlags extends Consent {
  section?: SectionName;
  disableMissing?: boolean;
  resolve?: boolean;
  schema?: boolean;
  limit: number;
}

export async function importAndReport(operator: Operator, file: string, flags: ImportFlags) {
  const outcome = await importFile(operator, file, flags);
  if (!outcome) return;
  const losses = await withWaitingLeads(operator, outcome.losses);
  const plan = planView({ ...outcome, losses });
  warningLines(plan).forEach(operator.note);
  if (outcome.kind === 'planned') return operator.show({ ...plan, dryRun: true }, importText);
  const { counts } = outcome;
  const database = await operator.database();
  const reference = await loadReference(database, operator.config.companyName);
  const report = flags.resolve ? resolveLeads : countLeads;
  const { lines, ...leads } = await report(operator, reference);
  const inactiveHolders = counts.agents ? await readInactiveHolders(database) : [];
  const holders = inactiveHolders.length > 0 ? { inactiveHolders } : {};
  const concernsRules = counts.rules ?? counts.teams ?? counts.agents ?? counts.pools;
  const lint = concernsRules ? await lintAll(operator) : null;
  const warnings = lint && lint.warnings.length > 0 ? { lint } : {};
  operator.show({ ...plan, ...leads, ...holders, ...warnings }, (shown) =>
    [
      importText(plan),
      ...lines,
      ...inactiveHolders.map(holderLine).map(oneLine),
      ...(shown.lint ? [lintText(shown.lint)] : []),
      ...(plan.undo ? [`${plan.undo} takes the rules back to what they were.`] : []),
    ].join('\n'),
  );
}

const holderLine = ({ email, leads }: InactiveHolder) =>
  `${email} is not active and holds ${count(leads, 'lead')} without a response: leadctl agent release ${email} hands them over.`;

/**
 * Null if issues were shown as JSON. Confirmation happens outside the import's transaction, which holds locks, so the
 * import fails if the destructive changes differ by then.
 */
async function importFile(operator: Operator, file: string, flags: ImportFlags) {
  const { section } = flags;
  const { lines, ...given } = await readDatasetFile(file, section);
  let outcome = await importGiven(operator, given, flags, () => flags.yes);
  while (outcome.kind === 'refused') {
    const asked = outcome.losses;
    const shown = lossLines(await withWaitingLeads(operator, asked));
    await confirm(operator, shown, flags, lossOutlook(asked));
    outcome = await importGiven(operator, given, flags, (losses) =>
      isDeepStrictEqual(withoutHeld(losses), withoutHeld(asked)),
    );
  }
  if (outcome.kind !== 'invalid') return outcome;
  const { issues } = outcome;
  return showIssues(
    operator,
    section ? issues.map((issue) => issueInCsv(issue, section, lines)) : issues,
  );
}

/** Ignores the number of queued leads, which changes at any time. */
async function withWaitingLeads(operator: Operator, losses: ImportLosses): Promise<ImportLosses> {
  if (losses.rules.length === 0) return losses;
  const waiting = await countWaitsByRule(await operator.database());
  return { ...losses, rules: withWaiting(losses.rules, waiting) };
}

async function importGiven(
  operator: Operator,
  given: GivenDataset,
  flags: ImportFlags,
  accepts: (losses: ImportLosses) => boolean,
) {
  const progress = createProgressBar(operator.isJson);
  let mayBeDone = false;
  // The end of the connection rolls the import back.
  const onInterrupt = () => {
    progress.stop();
    process.stderr.write(`${mayBeDone ? STOPPED_AT_END : 'Stopped; nothing was imported.'}\n`);
    process.exit(CANCELLED);
  };
  process.once('SIGINT', onInterrupt);
  return runImport(operator, given, {
    onCommit: () => (mayBeDone = true),
    disableMissing: flags.disableMissing === true,
    dryRun: flags.dryRun,
    shownChanges: flags.limit,
    accepts,
    onProgress: progress.onProgress,
  }).finally(() => {
    process.off('SIGINT', onInterrupt);
    progress.stop();
  });
}

const STOPPED_AT_END =
  'Stopped at the end of the import: import again with --dry-run to see whether it was written.';

async function countLeads(operator: Operator, reference: Reference) {
  const resolvable = await countResolvable(await operator.database(), reference);
  if (resolvable === 0) return { lines: [] };
  const least = resolvable === MOST_RESOLVABLE ? 'at least ' : '';
  const leads = `${least}${count(resolvable, 'lead')}`;
  const line = `Earlier values of ${leads} match by now: import again with --resolve to fill them in.`;
  return { resolvable, lines: [line] };
}

async function resolveLeads(operator: Operator, reference: Reference) {
  const { author } = operator;
  const request = { reference, author, now: operator.now(), newId: randomUUID };
  const counts = await resolveUnresolvedValues(await operator.database(), request);
  const { checked: looked, resolved, rerouted } = counts;
  const line = `${resolved} of ${looked} leads with open values were resolved, ${rerouted} of them sent back through assignment.`;
  return { resolved: { looked, resolved, rerouted }, lines: [line] };
}

function showIssues(operator: Operator, issues: readonly DatasetIssue[]): null {
  const summary = `Nothing was imported: ${issues.length} ${issues.length === 1 ? 'error' : 'errors'}.`;
  if (!operator.isJson) throw new OperatorError([...issues.map(formatIssue), summary]);
  operator.show({ faults: issues }, () => '');
  process.exitCode = 1;
  return null;
}
