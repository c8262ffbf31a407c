import type { HandOver } from '../../../domain/assignment/hand-over.ts';
import { insertHandOver } from '../../../store/assignment/hand-overs.ts';
import { deleteOutboxRows } from '../../../store/leads/outbox.ts';
import { createQueueOwner } from '../../../worker/waiting-leads.ts';
import type { TestApi } from '../../support/api.ts';
import { handOverRequest } from '../../support/hand-over.ts';
import { leadActivities, patient, testActivityContext } from '../../support/worker.ts';

type Time = Date | string;

/** What workers do to the leads of `api` at a given time, without a Temporal server. */
export function openDesk(api: TestApi) {
  const { database, config } = api;
  const activitiesAt = (at: Time) => leadActivities(api, () => new Date(at));

  /** On a busy machine locks are held for so long that the queue would go on without the team. */
  function queueOwnerAt(at: Time, announce: Parameters<typeof createQueueOwner>[1]) {
    const context = testActivityContext(patient(database), config, () => new Date(at));
    return createQueueOwner(context, announce);
  }

  return {
    activitiesAt,
    queueOwnerAt,

    /** Its owner and its moves, and when its response clock ends, in Dubai. */
    async readLead(leadId: string) {
      return database.queryOne<{ owner: string; moves: number; due: string | null }>(
        `select owner_id as owner, moves,
           to_char(follow_up_due_at at time zone 'Asia/Dubai', 'DD HH24:MI') as due from leads where id = $1`,
        [leadId],
      );
    },

    async routeAt(at: Time, body: object = {}) {
      api.setNow(new Date(at));
      const { id: leadId } = await api.create(body);
      api.setNow(null);
      const lead = await activitiesAt(at).routeLead({ leadId });
      return { leadId: String(leadId), status: lead?.status, agentId: lead?.agentId };
    },

    /** Carries out a request of the operator's for one lead. */
    async handOverAt(
      at: Time,
      leadId: string,
      target: HandOver['target'],
      over: Parameters<typeof handOverRequest>[1] = {},
    ) {
      const request = handOverRequest(target, { now: new Date(at), ...over });
      await insertHandOver(database, request);
      const outcome = await activitiesAt(at).handOverLead({ leadId, handOverId: request.id });
      expect(outcome).toMatchObject({ moved: true });
      return request.id;
    },

    /** Gives waiting leads to agents as the owner of the queue does; returns the leads whose workflows it told. */
    async placeAllAt(at: Time): Promise<string[]> {
      const told: string[] = [];
      const place = queueOwnerAt(at, async (rows) => {
        told.push(...rows.map(({ leadId }) => leadId));
        await deleteOutboxRows(
          database,
          rows.map(({ id }) => id),
        );
      });
      while ((await place()) > 0);
      await database.query('delete from worker_leases');
      return told;
    },
  };
}
