import type { Mutant } from './mutants.ts';

export interface Verdict {
  mutant: Mutant;
  /** Null where every history replays on the mutant. */
  error: { scenario: string; text: string } | null;
}

const LEAST_CAUGHT = 0.95;

/** Whether nearly all that break are caught, none of the safe ones, and all can run. */
export function isAsDocumented(verdicts: readonly Verdict[]): boolean {
  const breaking = verdicts.filter(({ mutant }) => !mutant.isSafe);
  const isSafeCaught = verdicts.some(({ mutant, error }) => mutant.isSafe && error !== null);
  return (
    !isSafeCaught &&
    !verdicts.some(cannotRun) &&
    countCaught(breaking) >= LEAST_CAUGHT * breaking.length
  );
}

/** Code that is wrong in itself says nothing about the histories. */
const cannotRun = ({ error }: Verdict) =>
  /\b(?:ReferenceError|SyntaxError)\b/.test(error?.text ?? '');

/** A table as docs/replay.md has it, and each mutant of which the histories do not say what its line says. */
export function formatReport(verdicts: readonly Verdict[]): string {
  const lines = Map.groupBy(verdicts, ({ mutant }) => mutant.change);
  const rows = [...lines].map(([change, all]) => {
    const isSafe = all.every(({ mutant }) => mutant.isSafe);
    return `| ${change} | ${isSafe ? 'yes' : '**no**'} | ${all.length} | ${countCaught(all)} |`;
  });
  const unexpected = verdicts.filter(
    (verdict) => cannotRun(verdict) || verdict.mutant.isSafe !== (verdict.error === null),
  );
  return `${HEAD}${rows.join('\n')}\n\n${countAll(verdicts)}\n${unexpected.map(describe).join('')}`;
}

const HEAD = `| Change | Safe | Mutants | Caught |\n| --- | --- | --- | --- |\n`;

const countCaught = (verdicts: readonly Verdict[]) =>
  verdicts.filter(({ error }) => error !== null).length;

function countAll(verdicts: readonly Verdict[]): string {
  const [breaking, safe] = [false, true].map((isSafe) =>
    verdicts.filter(({ mutant }) => mutant.isSafe === isSafe),
  ) as [Verdict[], Verdict[]];
  const of = (all: readonly Verdict[]) => `${countCaught(all)} of ${all.length}`;
  return `Caught: ${of(breaking)} that break, ${of(safe)} that are safe.`;
}

function describe({ mutant: { file, change, text, becomes }, error }: Verdict): string {
  const what = error ? `${error.scenario}: ${error.text}` : 'every history replays';
  return `\n${file}, ${change}\n- ${text}\n+ ${becomes}\n  ${what}\n`;
}
