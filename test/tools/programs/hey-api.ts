import * as sdk from './generated/hey-api';
import { client } from './generated/hey-api/client.gen';

/** Calls every operation by the functions of @hey-api/openapi-ts. */
const {
  BASE_URL: baseUrl = '',
  CLIENT_ID: client_id,
  CLIENT_SECRET: client_secret,
  PHONE = '',
} = process.env;

function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

client.setConfig({ baseUrl });
const token = must(
  await sdk.issueToken({ body: { grant_type: 'client_credentials', client_id, client_secret } }),
);
client.setConfig({ baseUrl, auth: token.access_token });

const created = must(await sdk.createLead({ body: { leadPhones: [PHONE], budgetMax: '2500000' } }));
if ('matchedOn' in created) throw new Error('It was merged.');
const path = { id: created.id };
const merged = must(await sdk.createLead({ body: { leadPhones: [PHONE] } }));
if (!('matchedOn' in merged)) throw new Error('It was not merged.');
must(await sdk.updateLead({ path, body: { budgetMax: '3000000' } }));
must(await sdk.patchLead({ path, body: { leadFirstName: 'Layla' } }));
const { status } = must(await sdk.readLeadAssignment({ path }));
must(await sdk.recordResponseTime({ path, body: { seconds: 60 } }));
const events = must(await sdk.listEvents({ query: { limit: 50, order: 'desc' } }));
for (const event of events.data)
  if (event.type === 'lead.created') console.log(event.data.contactId === created.contactId);
const check = must(await sdk.checkDncr({ body: { phones: ['0501234560'] } }));
const query = { q: 'e', limit: 5 };
const developers = must(await sdk.listDevelopers({ query }));
must(await sdk.searchDevelopers({ query }));
must(await sdk.readDeveloper({ path: { id: developers.data[0]?.id ?? '' } }));
const locations = must(await sdk.listLocations({ query }));
must(await sdk.searchLocations({ query }));
must(await sdk.readLocation({ path: { id: locations.data[0]?.id ?? '' } }));
const filters = must(await sdk.readProjectFilters());
const developerIds = filters.filters.developer.values.map((one) => one.id).join(',');
const projects = must(
  await sdk.listProjects({ query: { developerIds, maxPrice: '9000000', page: 1 } }),
);
must(await sdk.mapProjects({ query: { north: '26', south: '24', east: '56', west: '54' } }));
must(
  await sdk.readProject({ path: { id: projects.data[0]?.id ?? '' }, query: { simplified: false } }),
);
must(await sdk.listProjectStatuses());
console.log(status, check.data[0]?.status);
