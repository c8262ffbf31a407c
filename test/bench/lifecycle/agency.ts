import { randomBytes, randomUUID } from 'node:crypto';
import {
  formatSecret,
  SEAL_IV_BYTES,
  sealSecret,
  SECRET_BYTES,
} from '../../../domain/webhooks/secret.ts';
import { startTestApi, type TestApi, type TestClient } from '../../support/api.ts';
import { activateRules, makeAgents, makeTeam } from '../../support/routing.ts';
import { openConnections, postLead } from '../send.ts';

const AGENTS = 20;

/** A client with one endpoint that wants both events. */
export interface Listener {
  token: string;
  endpointId: string;
}

/** What a database holds before the first lead, and how it is used. */
export interface Agency {
  client: Listener;
  /** Its endpoint takes calls and never answers. */
  hanging: Listener;
  secretsKey: string;
}

/** One rule that gives every lead to a team whose agents have no caps and no response clock; two clients. */
export async function seedAgency(api: TestApi, receiverUrl: string): Promise<Agency> {
  const members = await makeAgents(api.database, AGENTS);
  const target = { kind: 'team', teamId: await makeTeam(api.database, members) };
  await activateRules(api.database, [{ name: 'Sales', target, followUp: { minutes: 0 } }]);
  return {
    client: await addListener(api, api.client, `${receiverUrl}/hooks`),
    hanging: await addListener(
      api,
      await api.addClient({ name: 'Hanging' }),
      `${receiverUrl}/hang`,
    ),
    secretsKey: api.config.secretsKey.toString('hex'),
  };
}

async function addListener(api: TestApi, client: TestClient, url: string): Promise<Listener> {
  const endpointId = randomUUID();
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  const sealed = sealSecret(secret, api.config.secretsKey, randomBytes(SEAL_IV_BYTES));
  await api.database.query(
    `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, allow_http, created_at)
     values ($1, $2, $3, '{lead.created,lead.assigned}', $4, true, now())`,
    [endpointId, client.id, url, sealed],
  );
  return { token: client.token, endpointId };
}

/** Fills an empty database; nobody uses it afterwards, so that it can be copied. */
export async function fillDatabase<T>(
  url: string,
  receiverUrl: string,
  work: (api: TestApi, agency: Agency) => Promise<T>,
): Promise<T & { agency: Agency }> {
  const api = await startTestApi({ databaseUrl: url });
  try {
    const agency = await seedAgency(api, receiverUrl);
    return { ...(await work(api, agency)), agency };
  } finally {
    await api.stop();
  }
}

const agent = openConnections();

/** Sends the lead of a person of its own. */
export function sendLead(baseUrl: string, token: string, person: number): Promise<void> {
  return postLead(`${baseUrl}/public/leads`, {
    token,
    agent,
    body: {
      leadPhones: [`+97150${1_000_000 + person}`],
      leadEmails: [`person${person}@mail.example`],
      leadFirstName: 'Layla',
      initialInquiry: 'Two bedrooms with a sea view, please.',
    },
  });
}
