/**
 * What reports read. Agent enquiries are in neither view: they are excluded from volume and from
 * cost-per-lead (Create response, isAgentEnquiry). Days are days in UTC. In `cost_per_lead` are also days
 * with a cost and no lead, and those with leads that cost nothing known.
 */
export const reporting = `
create view lead_volume as
select (created_at at time zone 'UTC')::date as day, source_id, advertising_campaign_id, funnel_id,
  count(*) as leads,
  count(*) filter (where is_repeat_lead) as repeat_leads
from leads where not is_agent_enquiry
group by 1, 2, 3, 4;
create view cost_per_lead as
with volume as (
  select day, advertising_campaign_id, sum(leads)::bigint as leads
  from lead_volume where advertising_campaign_id is not null group by 1, 2)
select day, advertising_campaign_id, k.name as advertising_campaign, c.currency, c.amount,
  coalesce(v.leads, 0) as leads,
  round(c.amount / nullif(v.leads, 0), 2) as cost_per_lead
from advertising_costs c
full join volume v using (day, advertising_campaign_id)
join advertising_campaigns k on k.id = advertising_campaign_id;
`;
