import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const FRAME = /^\s*at (?:async )?(?:(.+) \()?(.+):(\d+):(\d+)\)?$/;

export interface SourceLine {
  /** The name of the function. Empty if it has none. */
  name: string;
  /** Such as `workflows/lead-lifecycle.ts:65`. */
  place: string;
}

export type LinesOf = (stack: string | undefined) => SourceLine[];

/** Finds the lines of the workflows' own sources in a stack of the bundle, the innermost first. */
export function createSourceLines(bundleFile: string): LinesOf {
  let map: SourceMap | undefined;
  return (stack = '') =>
    stack.split('\n').flatMap((line) => {
      const [, name = '', file, row, column] = FRAME.exec(line) ?? [];
      if (file !== bundleFile) return [];
      map ??= readSourceMap(bundleFile);
      const origin = map.findOrigin(Number(row), Number(column));
      return 'fileName' in origin ? ownLine(name, origin.fileName, origin.lineNumber) : [];
    });
}

function ownLine(name: string, source: string, line: number): SourceLine[] {
  const file = path.relative(root, source);
  const isOwn = !/^\.\.|^dev\/replay\/|node_modules\//.test(file);
  return isOwn ? [{ name, place: `${file}:${line}` }] : [];
}

function readSourceMap(bundleFile: string): SourceMap {
  const code = readFileSync(bundleFile, 'utf8');
  const encoded = code.slice(code.lastIndexOf('base64,') + 'base64,'.length);
  return new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')));
}
