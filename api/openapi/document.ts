import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { z } from 'zod';
import { TOKEN_PATH } from '../auth/oauth-errors.ts';
import { aliasGroups } from '../catalogue/query-values.ts';
import { BASE_PATH, noQuery, type Route } from '../http/route.ts';
import { addExamples, type Document } from './examples.ts';
import { documentedBody } from './lead-payload.ts';
import { headerComponents, responsesOf } from './responses.ts';
import { webhooks } from './webhooks.ts';

/** The first page of the rendered reference. */
const introduction = `
Takes in sales enquiries (leads), matches each to a contact, and sees it through to an agent.

**First steps.** Fetch a token with your client id and secret, post a lead, then either read who it was
assigned to or wait for the \`lead.assigned\` webhook. The service is called from a backend only: no CORS
header is ever sent.

**Forgiving intake.** A value that matches no record of the CRM never fails a create: the lead is made,
the value comes back in \`intakeUnresolved\`, and unknown fields are kept with the lead. What a create needs is
at least one phone or e-mail.

**Merging.** A second enquiry from the same phone or e-mail within about 24 hours gets 201 with
\`merged: true\` and the id of the lead that survives. Branch on \`merged\` first.

**Retries.** Retry a create only on network timeouts, 429 and 5xx. On a 401 fetch a fresh token once and
retry once.

**Tracing.** A valid \`traceparent\` (W3C Trace Context) of a request is named in our logs and goes on in the
webhooks about the lead; no response has one.

**Parameters.** An unknown or repeated query parameter gets 422 on every endpoint, and so do two
names of one parameter with different values: the names are shown as the properties of one object, of which
one is sent (\`?q=marina\`).
`.trim();

const INTERFACE_REVISION = '1.6.0';

const securitySchemes = {
  oauth2: {
    type: 'oauth2',
    description: 'Client id and secret, by header or body: tools then fetch the token themselves.',
    flows: {
      clientCredentials: {
        // With its leading slash it is the same against the server's address and against the document's.
        tokenUrl: `${BASE_PATH}${TOKEN_PATH}`,
        scopes: {
          'leads:all':
            'Every lead, not only the client’s own. A token has the scopes that the operator gave to its client, whatever is asked for.',
        },
      },
    },
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `access_token` of `POST /oauth2/token`.',
  },
} as const;

/** The OpenAPI document, built from the schemas that validate requests. */
export function openApiDocument(routes: readonly Route[]): Document {
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: 'Lead Intake', version: INTERFACE_REVISION, description: introduction },
    servers: [{ url: BASE_PATH }],
    tags: ['Authentication', 'Leads', 'Events', 'DNCR', 'Reference data'].map((name) => ({ name })),
    paths: pathsOf(routes.filter((route) => route.tag !== 'Document')),
    webhooks,
    components: { securitySchemes, headers: headerComponents },
  });
  return addExamples(document);
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths as ZodOpenApiPathsObject;
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { operationId, summary, description, tag, auth } = route;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: auth === 'none' ? [] : [{ oauth2: [] }, { bearer: [] }],
    ...parametersOf(route),
    requestBody: route.body && requestBody(route, route.body),
    responses: responsesOf(route),
  };
}

function parametersOf({ params, query = noQuery }: Route) {
  const { shape } = query as z.ZodObject;
  const { groups, blank } = aliasGroups.get(query) ?? { groups: [], blank: '' };
  const single = Object.keys(shape).filter((name) => !groups.flat().includes(name));
  const path = params && { path: params as z.ZodObject };
  return {
    requestParams: { ...path, query: z.object(pick(shape, single)) },
    parameters: groups.map((names) => oneOfNames(pick(shape, names), names, blank)),
  };
}

/** A parameter with several names, as an object of which each property is one of them in the query. */
function oneOfNames(shape: z.core.$ZodShape, names: readonly string[], blank: string) {
  const [name = '', ...aliases] = names;
  const others = aliases.map((alias) => `\`${alias}\``).join(', ');
  const allBut = (kept: string) => names.filter((each) => each !== kept);
  const blankBut = (kept: string) => ({
    properties: Object.fromEntries(allBut(kept).map((each) => [each, { pattern: blank }])),
  });
  return z
    .strictObject(shape)
    .optional()
    .meta({
      description: `Sent as \`${name}=…\` or under another name: ${others}. Send one of them.`,
      override: { allOf: [{ anyOf: names.map(blankBut) }] },
      param: { in: 'query', name: `${name}OrAlias`, style: 'form', explode: true },
    });
}

function pick(shape: z.core.$ZodShape, names: readonly string[]): z.core.$ZodShape {
  return Object.fromEntries(names.map((name) => [name, shape[name] ?? z.never()]));
}

function requestBody(route: Route, schema: z.ZodType) {
  const media = { schema: documentedBody(schema), example: route.bodyExample };
  const types = ['application/json', ...(route.alsoAccepts ?? [])];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, media])) };
}
