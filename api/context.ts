import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../platform/config.ts';
import type { TraceContext } from '../platform/trace-context.ts';
import type { AdmitToken } from '../store/clients/clients.ts';
import type { Database } from '../store/db/database.ts';
import type { OpenCheck } from '../store/dncr/checks.ts';
import type { ReferenceCache } from '../store/catalogue/reference.ts';
import type { Catalogue } from '../store/catalogue/search.ts';
import type { LimitRequests } from './auth/request-limiter.ts';
import type { BearerToken, Strangers } from './auth/strangers.ts';
import type { BodyRooms, RequestBody } from './http/body.ts';
import type { GroupCommit } from './leads/create-lead.ts';
import type { LeadDispatcher } from './leads/lead-dispatcher.ts';

export interface AppContext {
  config: Config;
  database: Database;
  /** Has a few connections of its own, for reads of the CRM's lists. */
  catalogue: Catalogue;
  reference: ReferenceCache;
  admitToken: AdmitToken;
  limitRequests: LimitRequests;
  strangers: Strangers;
  bodyRooms: BodyRooms;
  createLead: GroupCommit;
  openDncrCheck: OpenCheck;
  /** Shares the rate of the registry between clients, whose checks wait in one queue of Temporal. */
  limitRegistryCalls: LimitRequests;
  leads: LeadDispatcher;
  temporal: Client;
  log: Logger;
  now: () => Date;
  newId: () => string;
}

declare module 'koa' {
  interface DefaultState {
    requestId: string;
    trace: TraceContext | null;
    /** On the clock of `performance.now()`. */
    startedMs: number;
    sentBody?: RequestBody;
    bodyText: string;
    bearer?: BearerToken | null;
    endTurn?: () => void;
    clientId?: string;
    leadId?: string | undefined;
    route?: string;
  }
}
