import * as api from './generated/orval';

/** Calls every operation by the functions that orval makes for fetch. */
const { CLIENT_ID: client_id, CLIENT_SECRET: client_secret, PHONE = '' } = process.env;

const token = await api.issueToken({ grant_type: 'client_credentials', client_id, client_secret });
if (token.status !== 200) throw new Error(JSON.stringify(token));
const options = { headers: { authorization: `Bearer ${token.data.access_token}` } };

const body = { leadPhones: [PHONE], budgetMax: '2500000' };
const created = await api.createLead(body, options);
if (created.status !== 201 || 'matchedOn' in created.data) throw new Error(JSON.stringify(created));
const { id, contactId } = created.data;
const merged = await api.createLead({ leadPhones: [PHONE] }, options);
if (merged.status !== 201 || !('matchedOn' in merged.data)) throw new Error('It was not merged.');
await api.updateLead(id, { budgetMax: '3000000' }, options);
await api.patchLead(id, { leadFirstName: 'Layla' }, options);
const assignment = await api.readLeadAssignment(id, options);
if (assignment.status !== 200) throw new Error(JSON.stringify(assignment));
await api.recordResponseTime(id, { seconds: 60 }, options);
const events = await api.listEvents({ limit: 50, order: 'desc' }, options);
if (events.status !== 200) throw new Error(JSON.stringify(events));
for (const event of events.data.data)
  if (event.type === 'lead.created') console.log(event.data.contactId === contactId);
const check = await api.checkDncr({ phones: ['0501234560'] }, undefined, options);
if (check.status !== 200) throw new Error(JSON.stringify(check));
const query = { q: 'e', limit: 5 };
const developers = await api.listDevelopers(query, options);
if (developers.status !== 200) throw new Error(JSON.stringify(developers));
await api.searchDevelopers(query, options);
await api.readDeveloper(developers.data.data[0]?.id ?? '', options);
const locations = await api.listLocations(query, options);
if (locations.status !== 200) throw new Error(JSON.stringify(locations));
await api.searchLocations(query, options);
await api.readLocation(locations.data.data[0]?.id ?? '', options);
const filters = await api.readProjectFilters(options);
if (filters.status !== 200) throw new Error(JSON.stringify(filters));
const developerIds = filters.data.filters.developer.values.map((one) => one.id).join(',');
const projects = await api.listProjects({ developerIds, maxPrice: '9000000', page: 1 }, options);
if (projects.status !== 200) throw new Error(JSON.stringify(projects));
await api.mapProjects({ north: '26', south: '24', east: '56', west: '54' }, options);
await api.readProject(projects.data.data[0]?.id ?? '', { simplified: false }, options);
await api.listProjectStatuses(options);
console.log(assignment.data.status, check.data.data[0]?.status);
