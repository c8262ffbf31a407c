import type { ZodOpenApiLinksObject } from 'zod-openapi';

interface Link {
  /** Where the value stands in the response. */
  value: string;
  /** The parameter that takes it. */
  parameter: string;
  to: readonly string[];
}

const LEAD = ['updateLead', 'patchLead', 'readLeadAssignment', 'recordResponseTime'];
const byId = (value: string, to: readonly string[]): Link => ({ value, parameter: 'id', to });

/** Which operations take a value of a response, by the id of the operation that it comes from. */
const links: Readonly<Record<string, Link>> = {
  createLead: byId('/id', LEAD),
  updateLead: byId('/id', LEAD),
  listEvents: { value: '/meta/next', parameter: 'after', to: ['listEvents'] },
  listDevelopers: byId('/data/0/id', ['readDeveloper']),
  searchDevelopers: byId('/data/0/id', ['readDeveloper']),
  listLocations: byId('/data/0/id', ['readLocation']),
  searchLocations: byId('/data/0/id', ['readLocation']),
  listProjects: byId('/data/0/id', ['readProject']),
  mapProjects: byId('/data/0/id', ['readProject']),
};

export function linksFrom(operationId: string): ZodOpenApiLinksObject | undefined {
  const link = links[operationId];
  if (!link) return undefined;
  const parameters = { [link.parameter]: `$response.body#${link.value}` };
  return Object.fromEntries(link.to.map((to) => [to, { operationId: to, parameters }]));
}
