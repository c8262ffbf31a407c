import {
  AuthenticationApi,
  Configuration,
  DNCRApi,
  EventsApi,
  LeadsApi,
  ReferenceDataApi,
  TokenRequestGrantTypeEnum,
} from './generated/typescript-fetch';

/** Calls every operation by openapi-generator's `typescript-fetch`. */
const {
  BASE_URL: basePath = '',
  CLIENT_ID: clientId,
  CLIENT_SECRET: clientSecret,
  PHONE = '',
} = process.env;

const token = await new AuthenticationApi(new Configuration({ basePath })).issueToken({
  tokenRequest: { grantType: TokenRequestGrantTypeEnum.ClientCredentials, clientId, clientSecret },
});
const middleware = [
  {
    async post({ response }: { response: Response }) {
      if (!response.ok) console.error(await response.clone().text());
    },
  },
];
const configuration = new Configuration({ basePath, accessToken: token.accessToken, middleware });
const [leads, reference] = [new LeadsApi(configuration), new ReferenceDataApi(configuration)];

const created = await leads.createLead({
  leadCreate: { leadPhones: [PHONE], budgetMax: '2500000' },
});
if (!('contactId' in created)) throw new Error(`It was merged: ${JSON.stringify(created)}`);
const { id } = created;
const merged = await leads.createLead({ leadCreate: { leadPhones: [PHONE] } });
if (!('matchedOn' in merged)) throw new Error(`It was not merged: ${JSON.stringify(merged)}`);
await leads.updateLead({ id, leadUpdate: { budgetMax: '3000000' } });
await leads.patchLead({ id, leadUpdate: { leadFirstName: 'Layla' } });
const { status } = await leads.readLeadAssignment({ id });
await leads.recordResponseTime({ id, responseTime: { seconds: 60 } });
const since = new Date(Date.now() - 3_600_000);
const events = await new EventsApi(configuration).listEvents({ limit: 50, order: 'desc', since });
for (const event of events.data)
  if (event.type === 'lead.created') console.log(event.data.contactId === created.contactId);
const check = await new DNCRApi(configuration).checkDncr({ dncrCheck: { phones: ['0501234560'] } });
const developers = await reference.listDevelopers({ q: 'e', limit: 5 });
await reference.searchDevelopers({ q: 'e', limit: 5 });
await reference.readDeveloper({ id: developers.data[0]?.id ?? '' });
const locations = await reference.listLocations({ q: 'e', limit: 5 });
await reference.searchLocations({ q: 'e', limit: 5 });
await reference.readLocation({ id: locations.data[0]?.id ?? '' });
const { filters } = await reference.readProjectFilters();
const developerIds = filters.developer.values.map((one) => one.id).join(',');
const projects = await reference.listProjects({ developerIds, maxPrice: '9000000', page: 1 });
await reference.mapProjects({ north: '26', south: '24', east: '56', west: '54' });
await reference.readProject({ id: projects.data[0]?.id ?? '', simplified: false });
await reference.listProjectStatuses();
console.log(status, check.data[0]?.status);
