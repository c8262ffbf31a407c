import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

const mutant = z.strictObject({
  /** Below `workflows/`. */
  file: z.string().endsWith('.ts'),
  /** Occurs once in the file. */
  text: z.string().min(1),
  becomes: z.string(),
  /** An import that the replacement needs. */
  adds: z.string().optional(),
});
const lines = z.array(z.strictObject({ change: z.string(), mutants: z.array(mutant).min(1) }));

export interface Mutant extends z.infer<typeof mutant> {
  /** The line of docs/replay.md that it illustrates. */
  change: string;
  isSafe: boolean;
}

/** Changes of the workflows, those that break the replay of open runs before those that do not. */
export async function readMutants(): Promise<Mutant[]> {
  const read = async (name: string, isSafe: boolean) => {
    const text = await readFile(new URL(name, import.meta.url), 'utf8');
    return lines
      .parse(parse(text))
      .flatMap(({ change, mutants }) => mutants.map((each) => ({ ...each, change, isSafe })));
  };
  return [...(await read('breaking.yaml', false)), ...(await read('safe.yaml', true))];
}

/** The source of the mutant's file with the change. */
export function mutate({ file, text, becomes, adds }: Mutant, source: string): string {
  const [before, after, ...others] = source.split(text);
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${file} does not have this text once: ${text}`);
  return `${adds ?? ''}${before}${becomes}${after}`;
}
