import { contentHash } from '../../../domain/canonical-json.ts';

/**
 * The lists that the specification itself fixes: funnels with their stages, and lead types. `{company}`
 * stands for the company's name, which is configuration. There is always an active ruleset; the first one
 * finds nobody.
 */
export const fixedRecords = `
insert into reference_state (version) values (1);
insert into funnels (id, key, name)
select gen_random_uuid(), key, name from (values
  ('main', 'Main Sales'),
  ('leasing', 'Leasing'),
  ('show_room', 'Show Room'),
  ('pvh', 'PvH'),
  ('mortgages', 'Mortgages'),
  ('property_management', 'Property Management'),
  ('landlord_sellers_listings', 'Landlord/Sellers Listings'),
  ('{company}_the_agency', '{company} the Agency'),
  ('events', 'Events'),
  ('recruitment', 'Recruitment'),
  ('precision_inspections', 'Precision Inspections'),
  ('811_services', '811 services'),
  ('prism', 'Prism')
) as f (key, name);
insert into funnel_stages (id, funnel_id, position, name)
select gen_random_uuid(), f.id, s.position, s.name
from funnels f, (values (1, 'New'), (2, 'Contacted'), (3, 'Qualified'), (4, 'Closed')) as s (position, name);
insert into list_entries (id, list, key, name)
select gen_random_uuid(), 'leadType', lower(name), name from unnest(array[
  'Primary Buyer', 'Secondary Buyer', 'Primary Buyer and Secondary Buyer', 'Tenant', 'Landlord',
  'Broker', 'Seller', 'Owner', 'Mortgages'
]) as name;
insert into routing_rulesets (rules, content_hash, author, created_at)
values ('[]', '${contentHash([])}', 'installation', now());
insert into routing_activations (version, author, activated_at)
select version, author, created_at from routing_rulesets;
`;
