import Table from 'cli-table3';
import type { Failure, Outcome } from './failure.ts';

/** Runs that fail by the same command at the same line. */
interface FailedRuns {
  first: Outcome;
  others: number;
  /** The names of the first few others. */
  names: string[];
}

interface Counts {
  runs: number;
  failed: number;
}

const NO_TYPE = '(unreadable)';
const NAMED_RUNS = 3;

/**
 * Counts outcomes. Of failed ones it keeps what it shows, so that it does not grow with their number: of each
 * group the first, and the names of some others.
 */
export function createReport({ namedRuns = NAMED_RUNS } = {}) {
  const total: Counts = { runs: 0, failed: 0 };
  const byType = new Map<string, Counts>();
  const failures = new Map<string, FailedRuns>();
  return {
    total,
    add(outcome: Outcome): void {
      const type = outcome.type ?? NO_TYPE;
      const counts = byType.get(type) ?? { runs: 0, failed: 0 };
      byType.set(type, counts);
      for (const each of [counts, total]) {
        each.runs += 1;
        if (outcome.failure) each.failed += 1;
      }
      if (!outcome.failure) return;
      const cause = JSON.stringify([outcome.type, causeOf(outcome.failure)]);
      const group = failures.get(cause);
      if (!group) return void failures.set(cause, { first: outcome, others: 0, names: [] });
      group.others += 1;
      if (group.names.length < namedRuns) group.names.push(outcome.name);
    },
    format(): string {
      const rows = [...byType].toSorted(([a], [b]) => a.localeCompare(b));
      return [...[...failures.values()].map(formatFailure), formatTable(rows, total)].join('\n\n');
    },
  };
}

/** Ids of events and labels differ between runs that fail at the same command, and so does the history's side. */
function causeOf({ text, at, command }: Failure): string[] {
  if (command === undefined || at.length === 0)
    return [text.replaceAll(/\d+|'[^']*'/g, '…'), ...at];
  return [command.replaceAll(/\d+|'[^']*'|`[^`]*`(?:, `[^`]*`)*/g, '…'), ...at];
}

function formatFailure({ first, others, names }: FailedRuns): string {
  const { name, type, runId, failure } = first;
  const run = runId && !name.includes(runId) ? `, run ${runId}` : '';
  return [
    `✗ ${name} (${type ?? 'unknown type'}${run})`,
    `  ${failure?.text}`,
    ...(failure?.at ?? []).map((line, index) => `  ${index === 0 ? 'at' : '  '} ${line}`),
    ...(others > 0 ? [`  ${others} more in the same way:`] : []),
    ...names.map((other) => `     ${other}`),
    ...(others > names.length ? ['     …'] : []),
  ].join('\n');
}

function formatTable(rows: readonly (readonly [string, Counts])[], total: Counts): string {
  const table = new Table({
    head: ['Type', 'Runs', 'Passed', 'Failed'],
    colAligns: ['left', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  const all = rows.length > 1 ? [...rows, ['all', total] as const] : rows;
  table.push(...all.map(([type, { runs, failed }]) => [type, runs, runs - failed, failed]));
  return table.toString();
}
