import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript.ts';

/** Calls every operation by openapi-fetch, on the types of openapi-typescript. */
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

const open = createClient<paths>({ baseUrl });
const token = must(
  await open.POST('/oauth2/token', {
    body: { grant_type: 'client_credentials', client_id, client_secret },
  }),
);
const headers = { authorization: `Bearer ${token.access_token}` };
const api = createClient<paths>({ baseUrl, headers });

const created = must(
  await api.POST('/public/leads', { body: { leadPhones: [PHONE], budgetMax: '2500000' } }),
);
if ('matchedOn' in created) throw new Error('It was merged.');
const id: string = created.id;
const contact: string = created.contactId;
const merged = must(await api.POST('/public/leads', { body: { leadPhones: [PHONE] } }));
if (!('matchedOn' in merged)) throw new Error('It was not merged.');
const path = { id };
const body = {
  budgetMax: '3000000',
  quiz: { quizKey: 'q', answers: [{ questionKey: 'k', value: 2 }] },
};
must(await api.PUT('/public/leads/{id}', { params: { path }, body }));
must(await api.PATCH('/public/leads/{id}', { params: { path }, body: { leadFirstName: 'Layla' } }));
const { status } = must(await api.GET('/public/leads/{id}/assignment', { params: { path } }));
must(
  await api.POST('/public/leads/{id}/response-time', { params: { path }, body: { seconds: 60 } }),
);
const events = must(
  await api.GET('/public/events', { params: { query: { limit: 50, order: 'desc' } } }),
);
for (const event of events.data)
  if (event.type === 'lead.created') console.log(event.data.contactId === contact);
const check = must(await api.POST('/public/dncr/check', { body: { phones: ['0501234560'] } }));
const search = { params: { query: { q: 'e', limit: 5 } } };
const developers = must(await api.GET('/public/developers', search));
must(await api.GET('/public/developers/search', search));
must(
  await api.GET('/public/developers/{id}', {
    params: { path: { id: developers.data[0]?.id ?? '' } },
  }),
);
const locations = must(await api.GET('/public/locations', search));
must(await api.GET('/public/locations/search', search));
must(
  await api.GET('/public/locations/{id}', {
    params: { path: { id: locations.data[0]?.id ?? '' } },
  }),
);
const filters = must(await api.GET('/public/projects/filters'));
const developerIds = filters.filters.developer.values.map((one) => one.id).join(',');
const projects = must(
  await api.GET('/public/projects', {
    params: { query: { developerIds, maxPrice: '9000000', page: 1 } },
  }),
);
must(
  await api.GET('/public/projects/map', {
    params: { query: { north: '26', south: '24', east: '56', west: '54' } },
  }),
);
must(
  await api.GET('/public/projects/{id}', {
    params: { path: { id: projects.data[0]?.id ?? '' }, query: { simplified: false } },
  }),
);
must(await api.GET('/public/project-statuses'));
console.log(status, check.data[0]?.status);
