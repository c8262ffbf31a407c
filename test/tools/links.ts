import type { Document } from '../../api/openapi/document.ts';

const LEAD = ['updateLead', 'patchLead', 'readLeadAssignment', 'recordResponseTime'];
const byId = (value: string, to: readonly string[]) => ({ value, parameter: 'id', to });

/** The operations that take a value of a response, its place there, and the parameter that takes it. */
const links: Readonly<Record<string, ReturnType<typeof byId>>> = {
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

interface Operation {
  operationId: string;
  responses: Record<string, { links?: object }>;
}

/** The document with the links that only schemathesis follows. */
export function withLinks(document: Document): Document {
  const linked = structuredClone(document);
  const operations = Object.values(linked.paths ?? {}).flatMap((item) => Object.values(item));
  for (const { operationId, responses } of operations as Operation[]) {
    const link = links[operationId];
    const response = responses['201'] ?? responses['200'];
    if (!link || !response) continue;
    const parameters = { [link.parameter]: `$response.body#${link.value}` };
    response.links = Object.fromEntries(link.to.map((to) => [to, { operationId: to, parameters }]));
  }
  return linked;
}
