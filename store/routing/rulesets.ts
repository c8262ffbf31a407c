import type { Rule, Ruleset } from '../../domain/routing/types.ts';
import type { Sql } from '../db/database.ts';

/** Rulesets never change once they are made, so a process reads each of them once. */
export interface RulesetStore {
  byVersion(sql: Sql, version: number): Promise<Ruleset>;
}

export function createRulesetStore(): RulesetStore {
  const known = new Map<number, Ruleset>();
  return {
    async byVersion(sql, version) {
      const found = known.get(version) ?? (await readRuleset(sql, version));
      known.set(version, found);
      return found;
    },
  };
}

async function readRuleset(sql: Sql, version: number): Promise<Ruleset> {
  const [row] = await sql.query<{ rules: Rule[] }>(
    `select rules from routing_rulesets where version = $1`,
    [version],
  );
  if (!row) throw new Error(`There is no ruleset ${version}.`);
  return { rules: row.rules };
}
