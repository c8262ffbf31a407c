import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A file of the project under its path from the root. */
export interface SourceText {
  path: string;
  text: string;
}

/** Every TypeScript file of these folders. */
export function readTree(folders: readonly string[]): SourceText[] {
  const inside = folders.flatMap((folder) =>
    names(folder).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  const paths = inside.filter((path) => path.endsWith('.ts'));
  return paths.map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
}

function names(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' });
}

/** The files that package.json's scripts start: there the environment is read. */
export function entryPoints(): Set<string> {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  return new Set(Object.values(scripts).flatMap((line) => line.match(/[\w./-]+\.ts\b/g) ?? []));
}
