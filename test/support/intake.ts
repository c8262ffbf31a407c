import { expect } from '@jest/globals';
import {
  startTestApi,
  type CallOptions,
  type HttpAnswer,
  type TestApi,
  type TestApiOptions,
} from './api.ts';
import { seedReference } from './reference.ts';

type Body = Record<string, unknown>;

export interface Intake extends TestApi {
  /** POSTs a lead of a person of its own unless the body names one; expects 201. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any shape
  create(body?: Body, options?: CallOptions): Promise<any>;
  /** PUTs an update; expects 200. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any shape
  update(leadId: string, body: Body, options?: CallOptions): Promise<any>;
  post(body: unknown, options?: CallOptions): Promise<HttpAnswer>;
  /** The columns of a lead as the database has them. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any column
  lead(leadId: string): Promise<Record<string, any>>;
}

export async function startIntake(options: TestApiOptions = {}): Promise<Intake> {
  const api = await startTestApi({
    ...options,
    variables: { COMPANY_NAME: 'Our Company', ...options.variables },
  });
  await seedReference(api.database);
  return withShorthands(api);
}

function withShorthands(api: TestApi): Intake {
  const post: Intake['post'] = (body, options) =>
    api.call('POST', '/public/leads', { ...options, body });
  return {
    ...api,
    post,
    async create(body = {}, options) {
      const isNamed = 'leadPhones' in body || 'leadEmails' in body;
      const answer = await post(isNamed ? body : { leadPhones: [newPhone()], ...body }, options);
      expect(answer).toMatchObject({ status: 201 });
      return answer.body;
    },
    async update(leadId, body, options) {
      const answer = await api.call('PUT', `/public/leads/${leadId}`, { ...options, body });
      expect(answer).toMatchObject({ status: 200 });
      return answer.body;
    },
    async lead(leadId) {
      const [row] = await api.database.query(`select * from leads where id = $1`, [leadId]);
      return row ?? {};
    },
  };
}

let people = 0;

/** A phone that no other lead of the run has. */
export function newPhone(): string {
  people += 1;
  return `+97150${String(1_000_000 + people)}`;
}

export function newEmail(): string {
  people += 1;
  return `person${people}@mail.example`;
}
