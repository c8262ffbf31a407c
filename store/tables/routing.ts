import { p } from '@mikro-orm/core';
import type { Rule } from '../../domain/routing/rule-schema.ts';
import { table } from './table.ts';

export const RoutingRuleset = table('routing_rulesets', {
  version: p.integer().primary().autoincrement().generated('identity'),
  rules: p.json<Rule[]>(),
  contentHash: p.text(),
  author: p.text(),
  createdAt: p.datetime(),
});

/** The last row names the active ruleset. */
export const RoutingActivation = table('routing_activations', {
  id: p.integer().primary().autoincrement().generated('identity'),
  ruleset: p.manyToOne(RoutingRuleset).joinColumn('version').name('version'),
  author: p.text(),
  activatedAt: p.datetime(),
});
