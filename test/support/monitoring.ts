import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

/** The alert rules, the dashboard and the operations guide, as docs/ has them. */

const textOf = (file: string) =>
  readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

export function alertRules(): AlertRule[] {
  const { groups } = parse(textOf('prometheus-alerts.yml')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The PromQL of each panel, by its title. */
export function dashboardQueries(): { title: string; expr: string }[] {
  const { panels } = JSON.parse(textOf('grafana-dashboard.json')) as {
    panels: { title: string; targets?: { expr?: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr }) => (expr === undefined ? [] : [{ title, expr }])),
  );
}

/** The tables of the guide's section on what to watch, as rows of cells without their links. */
export function watchTables(): string[][][] {
  const [, section = ''] = textOf('operations.md').split('## What to watch\n');
  const [text = ''] = section.split('\n## ');
  const tables = text.split(/\n\n/).filter((block) => block.startsWith('|'));
  return tables.map((table) => table.split('\n').slice(2).map(cellsOf));
}

function cellsOf(line: string): string[] {
  const cells = line.slice(1, -1).split('|');
  return cells.map((cell) => cell.trim().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
}

export interface Query {
  isValid: boolean;
  /** Names of samples: of a histogram with `_bucket`. */
  metrics: string[];
  labels: string[];
  /** The comparison that decides over an alert, where there is one. */
  threshold: { operator: string; value: string } | null;
}

export function parsePromql(expr: string): Query {
  const tree = parser.parse(expr);
  const found: Query = { isValid: true, metrics: [], labels: [], threshold: null };
  tree.iterate({
    enter({ node, type, from, to }) {
      const text = expr.slice(from, to);
      if (type.isError) found.isValid = false;
      if (type.name === 'Identifier') found.metrics.push(text);
      if (type.name === 'LabelName') found.labels.push(text);
      if (node.parent?.type.isTop && type.name === 'BinaryExpr') {
        const [, operator = '', value = ''] = /\s(>|==)\s(.*)$/s.exec(text) ?? [];
        found.threshold = { operator, value };
      }
    },
  });
  return found;
}
