import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { BOUNDS } from '../../cli/status/problems.ts';
import {
  alertRules,
  dashboardQueries,
  parsePromql,
  watchTables,
  type AlertRule,
} from '../support/monitoring.ts';
import { hasPromtool, testRules } from '../support/promtool.ts';

const rules = alertRules();
const [alertRows = []] = watchTables();

/** What an expression compares with, in the words of the column "Act when". */
function conditionsOf(expr: string): string[] {
  const { threshold } = parsePromql(expr);
  if (!threshold) return expr.startsWith('absent(') ? ['absent'] : [];
  const { operator, value } = threshold;
  if (operator === '==') return [value];
  const number = Number(value);
  if (Number.isNaN(number)) return ['rising'];
  if (number === 0) return ['above 0', 'rising', 'outcomes other than `answered`'];
  const units = ['leads', 'times as many'].map((unit) => `over ${number} ${unit}`);
  return [...units, `over ${number} s`, `over ${number / 3600} h`, `over ${number * 100} %`];
}

/** Such as `p95 of creates over 0.5 s for 5 minutes`. */
function expectCondition({ expr, for: duration }: AlertRule, cell: string): void {
  const [condition = '', time] = cell.split(' for ');
  expect(duration).toBe(time?.replace(/^(\d+) minutes?$/, '$1m'));
  expect(conditionsOf(expr)).toContain(condition.replace(/^.*(?=over )/, ''));
}

/** `http_requests_total{status=~"5.."}` as its name and its matchers. */
const metricOf = (cell: string) => /^`(\w+)(\{.*\})?`$/.exec(cell)?.slice(1) ?? [];
const withoutSuffix = (metric: string) => metric.replace(/_bucket$/, '');

describe('the alert rules', () => {
  test('are the table of the operations guide, row by row', () => {
    const described = rules.map(({ alert, annotations }) => ({
      alert: `\`${alert}\``,
      ...annotations,
    }));
    expect(described).toEqual(
      alertRows.map(([alert, summary, , , description]) => ({ alert, summary, description })),
    );
  });

  test.each(alertRows.map((row) => [row[0], row] as const))(
    '%s: its metric, threshold and time are those of the table',
    (name, [, , metric = '', condition = '']) => {
      const rule = rules.find(({ alert }) => `\`${alert}\`` === name) as AlertRule;
      const [base, matchers = ''] = metricOf(metric);
      const { metrics } = parsePromql(rule.expr);
      expect(new Set(metrics.map(withoutSuffix))).toEqual(new Set([base]));
      expect(rule.expr).toContain(matchers);
      expectCondition(rule, condition);
    },
  );

  test('are valid PromQL, as are the queries of the dashboard', () => {
    const queries = [...rules, ...dashboardQueries()].map(({ expr }) => expr);
    expect(queries.length).toBeGreaterThan(50);
    expect(queries.filter((expr) => !parsePromql(expr).isValid)).toEqual([]);
    expect(parsePromql('max(a > 0').isValid).toBe(false);
  });
});

const UNIT_TESTS = fileURLToPath(new URL('prometheus-alerts.test.yml', import.meta.url));
const { tests } = parse(readFileSync(UNIT_TESTS, 'utf8')) as {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
};

describe('the unit tests of promtool', () => {
  test.each(rules.map(({ alert }) => alert))('%s: it is to fire once and to be silent', (alert) => {
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const expected = cases.filter(({ alertname }) => alertname === alert);
    expect(expected.map(({ exp_alerts }) => exp_alerts.length).toSorted()).toEqual(
      expect.arrayContaining([0, 1]),
    );
  });

  const testHere = hasPromtool ? test : test.skip;
  testHere('pass, where promtool is installed (Debian: prometheus)', async () => {
    expect(await testRules(UNIT_TESTS)).toBe('');
  });
});

test.each(Object.entries(BOUNDS))('leadctl status and the alert agree on %s', (metric, bound) => {
  const compared = rules.filter(({ expr }) => expr.includes(metric));
  expect(compared.map(({ expr }) => parsePromql(expr).threshold?.value)).toContain(String(bound));
});
