import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { newFolder } from './folder.ts';
import { runProgram } from './program.ts';

/** Debian's package `prometheus` has it; what needs it is skipped where it is not installed. */
export const hasPromtool = (await runProgram('promtool', ['--version'])).code === 0;

const RULES = fileURLToPath(new URL('../../docs/prometheus-alerts.yml', import.meta.url));

/** Empty where the tests pass, else what promtool says. */
export async function testRules(file: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram('promtool', ['test', 'rules', file]);
  return code === 0 ? '' : `${stdout}${stderr}`;
}

/** Which of the alerts fire once each sample of a metrics page has been the same for an hour. */
export async function firingOn(page: string, alerts: readonly string[]): Promise<string[]> {
  const samples = [...page.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)];
  const input_series = samples.map(([, series, value]) => ({ series, values: `${value}x60` }));
  const folder = newFolder();
  const firing = await Promise.all(
    alerts.map(async (alertname) => {
      const alert_rule_test = [{ alertname, eval_time: '1h', exp_alerts: [] }];
      const tests = [{ interval: '1m', input_series, alert_rule_test }];
      const file = path.join(folder, `${alertname}.yml`);
      await writeFile(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
      const failure = await testRules(file);
      if (failure && !failure.includes(`alertname="${alertname}"`)) throw new Error(failure);
      return failure ? [alertname] : [];
    }),
  );
  return firing.flat();
}
