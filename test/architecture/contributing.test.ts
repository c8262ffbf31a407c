import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { cacheFolder } from '../../dev/cache-folder.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

interface Step {
  uses?: string;
  run?: string;
  with?: { path?: string; key?: string };
}
interface CiWorkflow {
  jobs: Record<
    string,
    { strategy: { matrix: Record<string, string[]> }; 'runs-on': string; steps: Step[] }
  >;
}

describe('the hosted CI', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as CiWorkflow;
  const [[, job], ...others] = Object.entries(jobs) as [[string, CiWorkflow['jobs'][string]]];

  test('runs .ci/run on both architectures', () => {
    expect(others).toEqual([]);
    expect(job['runs-on']).toBe('${{ matrix.os }}');
    expect(job.strategy.matrix).toEqual({ os: ['ubuntu-24.04', 'ubuntu-24.04-arm'] });
    expect(job.steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run']);
  });

  test('keeps what is below the cache folder, by files that exist', () => {
    const { path = '', key = '' } =
      job.steps.find(({ uses }) => uses?.includes('/cache'))?.with ?? {};
    const folder = cacheFolder({ HOME: process.cwd() + '/.data-ci' });
    const below = folder.replace(`${process.cwd()}/.data-ci`, '~');
    for (const kept of path.trim().split('\n')) expect(kept.startsWith(`${below}/`)).toBe(true);
    const patterns = [...key.matchAll(/'([^']+)'/g)].map(([, pattern]) => String(pattern));
    expect(patterns.filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
    expect(patterns).toContain('package-lock.json');
  });
});

describe('what a contributor finds', () => {
  test('names scripts that exist', () => {
    const said = [read('README.md'), read('CONTRIBUTING.md')].join('\n');
    const names = [...said.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => String(name));
    expect(names).toContain('test:changed');
    expect([...new Set(names)].filter((name) => !(name in scripts))).toEqual([]);
  });

  test('starts scripts that exist in VS Code', () => {
    const { configurations } = JSON.parse(read('.vscode/launch.json')) as {
      configurations: { runtimeExecutable: string; runtimeArgs: string[] }[];
    };
    for (const { runtimeExecutable, runtimeArgs } of configurations) {
      expect(runtimeExecutable).toBe('npm');
      const [first = '', second = ''] = runtimeArgs;
      expect(Object.keys(scripts)).toContain(first === 'run' ? second : first);
    }
    const { recommendations } = JSON.parse(read('.vscode/extensions.json')) as {
      recommendations: string[];
    };
    const { customizations } = JSON.parse(read('.devcontainer/devcontainer.json')) as {
      customizations: { vscode: { extensions: string[] } };
    };
    expect(customizations.vscode.extensions).toEqual(recommendations);
  });

  test('links pages that exist', () => {
    const links = [...read('CONTRIBUTING.md').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
    expect(links.filter((link) => !existsSync(String(link)))).toEqual([]);
  });
});
