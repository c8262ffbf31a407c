import { p } from '@mikro-orm/core';
import type { WorkingHours } from '../../domain/routing/working-hours.ts';
import { table } from './table.ts';

export const Agent = table('agents', {
  id: p.uuid().primary(),
  email: p.text().unique().check('email = lower(email)'),
  name: p.text(),
  slug: p.text().unique(),
  phone: p.text().nullable(),
  whatsappPhone: p.text().nullable(),
  active: p.boolean().default(true),
  pausedAt: p.datetime().nullable(),
  languages: p.array().default([]),
  locationIds: p.array().columnType('uuid[]').default([]),
  category: p.text().nullable(),
  timeZone: p.text().default('Asia/Dubai'),
  workingHours: p.json<WorkingHours>().defaultRaw(`'{}'`),
  dailyCap: p.integer().nullable(),
  openCap: p.integer().nullable(),
});

export const Team = table('teams', {
  id: p.uuid().primary(),
  name: p.text().unique(),
});

export const TeamMember = table('team_members', {
  team: p.manyToOne(Team).primary(),
  agent: p.manyToOne(Agent).primary(),
  weight: p.integer().default(1).check('weight > 0'),
  position: p.integer(),
  /** Weighted round robin balance; null before the first turn. */
  owedLeads: p.double().nullable(),
});

/** `starts` and `ends` as received: a date, or a time with its offset. */
export const AgentAbsence = table('agent_absences', {
  agent: p.manyToOne(Agent).primary(),
  starts: p.text().primary(),
  ends: p.text().primary(),
  note: p.text().nullable(),
});

/** `starts` and `ends` are dates in the agent's zone. */
export const AgentDatedHours = table('agent_dated_hours', {
  agent: p.manyToOne(Agent).primary(),
  starts: p.text().primary(),
  ends: p.text().primary(),
  workingHours: p.json<WorkingHours>(),
});

export const Holiday = table('holidays', {
  name: p.text().primary(),
  starts: p.text().primary(),
  ends: p.text().primary(),
});
