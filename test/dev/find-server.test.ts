import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createProgress } from '../../dev/progress.ts';
import { locateTemporal } from '../../dev/temporal/locate.ts';
import { newFolder } from '../support/folder.ts';

const CLI = '#!/bin/sh\necho "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"\n';
const GO = `#!/bin/sh\nprintf '${CLI.replaceAll('\n', '\\n')}' > "$GOBIN/temporal"\n/bin/chmod +x "$GOBIN/temporal"\n`;
/** So that nothing is downloaded where there is internet. */
const NO_INTERNET = { HTTPS_PROXY: 'http://127.0.0.1:1' };

let folder: string;
beforeEach(() => void (folder = newFolder()));

function program(place: string, text: string): string {
  const file = path.join(folder, place);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

async function locate(variables: Record<string, string> = {}) {
  let output = '';
  const progress = createProgress({ write: (text) => (output += text) });
  const places = { PATH: path.join(folder, 'bin'), XDG_CACHE_HOME: path.join(folder, 'cache') };
  return {
    found: await locateTemporal({ ...places, ...NO_INTERNET, ...variables }, progress),
    output,
  };
}

describe('a Temporal server is found', () => {
  test('in the binary that is given, before the one on PATH, before the one in the cache', async () => {
    const cached = program('cache/lead-intake/bin/temporal-1.5.1', CLI);
    expect(await locate()).toEqual({ found: cached, output: '' });
    const onPath = program('bin/temporal', CLI);
    expect(await locate()).toEqual({ found: onPath, output: '' });
    const given = program('given', CLI);
    expect(await locate({ TEMPORAL_BINARY: given })).toEqual({ found: given, output: '' });
  });

  test('by a build with Go, once', async () => {
    program('bin/temporal', '#!/bin/sh\necho "tctl version 1.18"\n');
    program('bin/go', GO);
    const built = path.join(folder, 'cache/lead-intake/bin/temporal-1.5.1');
    const first = await locate();
    expect(first).toEqual({ found: built, output: expect.stringMatching(/✗ Down.*✓ Building/s) });
    expect(await locate()).toEqual({ found: built, output: '' });
  });

  test('nowhere: the error says what to do', async () => {
    await expect(locate()).rejects.toThrow(/Go 1.24, or set TEMPORAL_BINARY/);
  });

  test('not in a given binary that is something else: that is an error, not a reason to continue', async () => {
    program('bin/temporal', CLI);
    await expect(locate({ TEMPORAL_BINARY: '/bin/ls' })).rejects.toThrow('/bin/ls');
  });
});
