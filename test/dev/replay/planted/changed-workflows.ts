import {
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DncrCheckInput } from '../../../../workflows/contracts/dncr-check.ts';
import { leadEventSignal } from '../../../../workflows/contracts/lead-lifecycle.ts';
import { searchAttributes } from '../../../../workflows/contracts/search-attributes.ts';
import { DncrCheck } from '../../../../workflows/dncr-check.ts';

export { DncrCheck };

/** Each function differs from a recorded history in another way. */

type Name =
  | 'askDncrRegistry'
  | 'planted'
  | 'readDncrCache'
  | 'routeLead'
  | 'storeDncrAnswers'
  | 'testWebhook';
type Activities = Record<Name, () => Promise<unknown>>;

const options = { summary: 'planted', startToCloseTimeout: '1 second' } as const;
const activities = proxyActivities<Activities>(options);
const local = proxyLocalActivities<Activities>(options);
const upsert = () => upsertSearchAttributes([{ key: searchAttributes.oauthClientId, value: 'c' }]);
const forever = () => condition(() => false);

export async function StartsATimerFirst(input: DncrCheckInput) {
  await sleep('1 second', { summary: 'planted timer' });
  return DncrCheck(input);
}

export async function WritesNoSearchAttributes() {
  await local.readDncrCache();
  await activities.askDncrRegistry();
}

export async function SchedulesAnotherActivity() {
  await local.readDncrCache();
  upsert();
  await activities.planted();
}

export async function RunsOneMoreLocalActivity() {
  await local.readDncrCache();
  upsert();
  const asked = activities.askDncrRegistry();
  void local.planted();
  await asked;
}

export async function CompletesEarly() {
  await local.readDncrCache();
  upsert();
  return 'early';
}

export async function ThrowsAnError() {
  await local.readDncrCache();
  throw new TypeError('planted "error"');
}

export async function WritesSearchAttributesLast(input: DncrCheckInput) {
  await DncrCheck(input);
  upsert();
}

export async function KnowsNoUpdate() {
  await activities.routeLead();
  upsert();
  await sleep('1 day');
}

export async function RoutesAgain() {
  await activities.routeLead();
  upsert();
  await activities.routeLead(); // again
}

export async function CancelsTheTimer() {
  const timers: CancellationScope[] = [];
  setHandler(leadEventSignal, () => timers.pop()?.cancel());
  await activities.routeLead();
  upsert();
  const timer = new CancellationScope();
  timers.push(timer);
  timer.run(() => sleep('1 day', { summary: 'planted timer' })).catch(() => undefined);
  await forever();
}

export async function Loops() {
  for (;;);
}
