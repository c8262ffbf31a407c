import { companyKey, withCompanyName } from '../../domain/catalogue/lookups/company-name.ts';
import { LookupList } from '../../domain/catalogue/lookups/lookup-list.ts';
import type {
  AgentEntry,
  Entry,
  FunnelEntry,
  LocationEntry,
} from '../../domain/catalogue/lookups/reference.ts';
import type { QuizField } from '../../domain/quiz/field-mapping.ts';
import type { Sql } from '../db/database.ts';

/** The lists that have a table of their own. */

export async function readLocations(sql: Sql): Promise<LookupList<LocationEntry>> {
  const rows = await sql.query<LocationEntry & { nameAr: string | null; enabled: boolean }>(
    `select id, name, name_ar as "nameAr", path, ancestor_ids as "ancestorIds", enabled
     from locations order by path`,
  );
  return new LookupList(
    rows.flatMap(({ nameAr, enabled, ...entry }) => [
      { entry, text: entry.name, enabled },
      ...(nameAr ? [{ entry, text: nameAr, enabled }] : []),
    ]),
  );
}

/** Name and slug are of one rank: a text that is one developer's name and another's slug is ambiguous. */
export async function readDevelopers(sql: Sql): Promise<LookupList<Entry>> {
  const rows = await sql.query<Entry & { slug: string; enabled: boolean }>(
    `select id, name, slug, enabled from developers order by slug`,
  );
  return new LookupList(
    rows.flatMap(({ slug, enabled, ...entry }) => [
      { entry, text: entry.name, enabled },
      { entry, text: slug, enabled },
    ]),
  );
}

export async function readAgents(sql: Sql): Promise<LookupList<AgentEntry>> {
  const rows = await sql.query<AgentEntry>(
    `select id, name, slug, email, phone, whatsapp_phone as "whatsappPhone", active
     from agents order by email`,
  );
  return new LookupList(rows.map((entry) => ({ entry, text: entry.email })));
}

export async function readFunnels(sql: Sql, companyName: string): Promise<FunnelEntry[]> {
  const rows = await sql.query<FunnelEntry>(
    `select f.id, f.key, f.name,
       (select jsonb_build_object('id', s.id, 'name', s.name) from funnel_stages s
        where s.funnel_id = f.id order by s.position limit 1) as "firstStage"
     from funnels f order by f.key`,
  );
  return rows.map((funnel) => ({
    ...funnel,
    key: withCompanyName(funnel.key, companyKey(companyName)),
    name: withCompanyName(funnel.name, companyName),
  }));
}

export function readQuizFields(sql: Sql): Promise<QuizField[]> {
  return sql.query<QuizField>(
    `select quiz_key as "quizKey", question_key as "questionKey", field from quiz_fields
     order by quiz_key, question_key`,
  );
}

export async function readCompetitorDomains(sql: Sql): Promise<Set<string>> {
  const rows = await sql.query<{ domain: string }>(`select domain from competitor_domains`);
  return new Set(rows.map((row) => row.domain));
}
