import { defineEntity, p } from '@mikro-orm/core';
import type { Rule } from '../../domain/routing/rule-schema.ts';

export const RoutingRuleset = defineEntity({
  name: 'RoutingRuleset',
  tableName: 'routing_rulesets',
  properties: {
    version: p.integer().primary().autoincrement().generated('identity'),
    rules: p.json<Rule[]>(),
    contentHash: p.text(),
    author: p.text(),
    createdAt: p.datetime(),
  },
});

/** The last row names the active ruleset. */
export const RoutingActivation = defineEntity({
  name: 'RoutingActivation',
  tableName: 'routing_activations',
  properties: {
    id: p.integer().primary().autoincrement().generated('identity'),
    ruleset: p.manyToOne(RoutingRuleset).joinColumn('version').name('version'),
    author: p.text(),
    activatedAt: p.datetime(),
  },
});
