import path from 'node:path';
import { fileURLToPath } from 'node:url';
import coverageLibrary, {
  type CoverageMap,
  type CoverageMapData,
  type FileCoverageData,
} from 'istanbul-lib-coverage';
import { createInstrumenter } from 'istanbul-lib-instrument';
import type { InjectedSinks } from '@temporalio/worker';
import { transformed } from '../bundle/transform-source.ts';
import { replayErrors } from '../replaying.ts';
import type { SavedHistory } from '../saved-histories.ts';
import type { CoverageSinks } from './interceptors.ts';

/**
 * Counts how often the replay of histories takes each branch of the workflows. Istanbul counts in the TypeScript
 * sources, before they are compiled: no source map is needed, and `??` is not yet the branches of older JavaScript.
 */
export async function measureCoverage(
  workflows: URL,
  histories: readonly SavedHistory[],
): Promise<CoverageMap> {
  /** A run's counters only grow: its last report holds them all. */
  const reports = new Map<string, CoverageMapData>();
  const report = ({ runId }: { runId: string }, counters: CoverageMapData) =>
    void reports.set(runId, counters);
  const sinks: InjectedSinks<CoverageSinks> = {
    coverage: { report: { fn: report, callDuringReplay: true } },
  };
  for await (const error of replayErrors(instrumented(workflows), histories, sinks))
    if (error) throw error;
  const coverage = coverageLibrary.createCoverageMap();
  for (const counters of reports.values()) coverage.merge(counters);
  return coverage;
}

function instrumented(workflows: URL) {
  const workflowsPath = fileURLToPath(workflows);
  const folder = path.dirname(workflowsPath);
  const instrumenter = createInstrumenter({ esModules: true, parserPlugins: ['typescript'] });
  return {
    workflowsPath,
    ...transformed(folder, (file, source) => instrumenter.instrumentSync(source, file)),
    workflowInterceptorModules: [fileURLToPath(new URL('interceptors.ts', import.meta.url))],
  };
}

export interface Branches {
  taken: number;
  total: number;
  /** `file:line:column kind, way N of M` for each that no history takes. */
  missed: string[];
}

/** The branches of each file, by its path below `folder`. */
export function branchesByFile(coverage: CoverageMap, folder: URL): Map<string, Branches> {
  const files = coverage.files().toSorted();
  return new Map(
    files.map((file) => {
      const name = path.relative(fileURLToPath(folder), file);
      return [name, branchesOf(name, coverage.fileCoverageFor(file).data)];
    }),
  );
}

function branchesOf(name: string, { b: counts, branchMap }: FileCoverageData): Branches {
  const ways = Object.entries(branchMap).flatMap(
    ([
      id,
      {
        type,
        loc: { start },
        locations,
      },
    ]) =>
      locations.map((_, index) => ({
        isTaken: (counts[id]?.[index] ?? 0) > 0,
        text: `${name}:${start.line}:${start.column + 1} ${type}, way ${index + 1} of ${locations.length}`,
      })),
  );
  const missed = ways.filter(({ isTaken }) => !isTaken).map(({ text }) => text);
  return { total: ways.length, taken: ways.length - missed.length, missed };
}
