import type { SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import { LIST_OF_SECTION, SUB_SOURCES } from './list-names.ts';

/**
 * A section as records of a dataset, one jsonb per row: the inverse of its writer. Null fields are left
 * out, since that is what they mean.
 */
export const exportQueries: Readonly<Record<Exclude<SectionName, 'rules'>, string>> = {
  propertyTypes: listQuery('propertyTypes', ''),
  projectStatuses: listQuery('projectStatuses', `'id', e.id, 'color', e.attributes ->> 'color',`),
  sources: listQuery(
    'sources',
    `'portal', coalesce((e.attributes ->> 'portal')::boolean, false),
     'subSources', array(select s.name from list_entries s
       where s.list = '${SUB_SOURCES}' and s.parent_id = e.id and s.enabled order by s.key),`,
  ),
  campaigns: listQuery('campaigns', ''),
  marketingTypes: listQuery('marketingTypes', ''),
  eventTypes: listQuery('eventTypes', ''),
  websites: listQuery('websites', `'domain', e.key,`),
  leadTypes: listQuery('leadTypes', `'aliases', e.aliases,`),
  languages: listQuery('languages', `'code', e.key, 'aliases', e.aliases,`),
  pools: listQuery('pools', ''),
  funnels: `
    select jsonb_build_object('key', f.key, 'name', f.name,
      'stages', array(select s.name from funnel_stages s where s.funnel_id = f.id
        order by s.position, s.name)) as record
    from funnels f where exists (select from funnel_stages s where s.funnel_id = f.id) order by f.key`,
  developers: `
    select jsonb_build_object('id', id, 'slug', slug, 'name', name, 'description', description,
      'logoUrl', logo_url, 'imageUrl', image_url, 'enabled', enabled, 'popular', popular) as record
    from developers order by slug`,
  locations: `
    select jsonb_build_object('id', l.id, 'key', l.key, 'name', l.name, 'nameAr', l.name_ar,
      'level', l.level, 'parent', p.key, 'latitude', l.latitude, 'longitude', l.longitude,
      'enabled', l.enabled) as record
    from locations l left join locations p on p.id = l.parent_id order by l.path, l.key`,
  agents: `
    select jsonb_build_object('id', id, 'email', email, 'name', name, 'slug', slug, 'phone', phone,
      'whatsappPhone', whatsapp_phone, 'active', active, 'languages', languages,
      'locations', ${keysOf('locations', 'key', 'location_ids')}, 'category', category,
      'timeZone', time_zone, 'workingHours', working_hours, 'dailyCap', daily_cap,
      'openCap', open_cap) as record
    from agents order by email`,
  teams: `
    select jsonb_build_object('name', t.name, 'members', coalesce((
      select jsonb_agg(jsonb_build_object('agent', a.email, 'weight', m.weight) order by m.position)
      from team_members m join agents a on a.id = m.agent_id where m.team_id = t.id), '[]')) as record
    from teams t order by t.name`,
  projects: `
    select jsonb_build_object('id', p.id, 'slug', p.slug, 'title', p.title,
      'description', p.description, 'developer', d.slug, 'location', l.key, 'status', s.name,
      'propertyTypes', ${keysOf('list_entries', 'name', 'p.property_type_ids')},
      'campaignType', p.campaign_type, 'ownershipType', p.ownership_type,
      'stockAvailability', p.stock_availability, 'startingPrice', p.starting_price::text,
      'deliveryDate', p.delivery_date, 'brochure', p.brochure, 'paymentPlans', p.payment_plans,
      'bedrooms', p.bedrooms, 'amenities', p.amenities, 'latitude', p.latitude,
      'longitude', p.longitude, 'images', p.images, 'published', p.published) as record
    from projects p
      join locations l on l.id = p.location_id
      join list_entries s on s.id = p.status_id
      left join developers d on d.id = p.developer_id
    order by p.slug`,
  listings: `
    select jsonb_build_object('id', g.id, 'referenceNo', g.reference_no, 'purpose', g.purpose,
      'market', g.market, 'price', g.price::text, 'priceOnApplication', g.price_on_application,
      'currency', g.currency, 'bedrooms', g.bedrooms, 'developer', d.slug, 'location', l.key,
      'propertyType', t.name, 'agent', a.email, 'enabled', g.enabled) as record
    from listings g
      left join developers d on d.id = g.developer_id
      left join locations l on l.id = g.location_id
      left join list_entries t on t.id = g.property_type_id
      left join agents a on a.id = g.agent_id
    order by g.reference_no, g.id`,
  quizFields: `
    select jsonb_build_object('quizKey', quiz_key, 'questionKey', question_key, 'field', field) as record
    from quiz_fields order by quiz_key, question_key`,
  knownAgents: `select jsonb_build_object(kind, value) as record from known_agents order by kind, value`,
  competitorDomains: `select to_jsonb(domain) as record from competitor_domains order by domain`,
};

function listQuery(section: keyof typeof LIST_OF_SECTION, fields: string): string {
  return `
    select jsonb_build_object('name', e.name, ${fields} 'enabled', e.enabled) as record
    from list_entries e where e.list = '${LIST_OF_SECTION[section]}' order by e.key`;
}

/** In the order of the ids. */
function keysOf(table: string, key: string, ids: string): string {
  return `array(select k.${key} from unnest(${ids}) with ordinality as i (id, at)
    join ${table} k on k.id = i.id order by i.at)`;
}
