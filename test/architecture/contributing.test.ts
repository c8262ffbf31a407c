import { existsSync, readFileSync } from 'node:fs';

const read = (file: string) => readFileSync(file, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('what a contributor finds', () => {
  test('names scripts that exist', () => {
    const said = [read('README.md'), read('CONTRIBUTING.md')].join('\n');
    const names = [...said.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => String(name));
    expect(names).toContain('test:changed');
    expect([...new Set(names)].filter((name) => !(name in scripts))).toEqual([]);
  });

  test('links pages that exist', () => {
    const links = [...read('CONTRIBUTING.md').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
    expect(links.filter((link) => !existsSync(String(link)))).toEqual([]);
  });
});
