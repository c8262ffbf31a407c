import PQueue from 'p-queue';
import { createBatcher } from '../../store/db/batcher.ts';
import { isUnavailable, type Database } from '../../store/db/database.ts';
import { tooBusy } from '../errors.ts';
import { createLead, createLeads } from './create-lead.ts';
import { prepareCreate, type Create, type CreateOutcome } from './decide-create.ts';
import type { IntakeRequest } from './intake-request.ts';

const MAX_GROUP = 64;
/** They may wait for each other's locks: some connections are left to the groups and to other requests. */
const MAX_ALONE = 8;
/** Creates that wait or are under way; some seconds of work. */
const MAX_OPEN = 1000;

export type GroupCommit = (request: IntakeRequest) => Promise<CreateOutcome>;

/**
 * Creates whose enquiries arrive while a transaction is under way share the next one: one commit for up to
 * 64. Enquiries that share a person are never in one group, so that none has to see what another one of its
 * group is about to write. A create that cannot share goes on in a transaction of its own, beside the next
 * group; a group that fails is tried again one by one.
 */
export function createGroupCommit(database: Database): GroupCommit {
  const share = createBatcher(commitGroup, { max: MAX_GROUP, keysOf: ({ keys }) => keys });
  const queue = new PQueue({ concurrency: MAX_ALONE });
  const alone = (create: Create) => queue.add(() => createLead(database, create));
  let open = 0;

  async function commitGroup(group: readonly Create[]) {
    try {
      const outcomes = await createLeads(database, group);
      return group.map((create, index) => outcomes[index] ?? alone(create));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return group.map(alone);
    }
  }

  return async (request) => {
    if (open >= MAX_OPEN) throw tooBusy('Too many leads are being created at this moment.');
    open += 1;
    try {
      return await share(prepareCreate(request));
    } finally {
      open -= 1;
    }
  };
}
