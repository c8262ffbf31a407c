import { startDeliveries } from '../../workflows/start-deliveries.ts';
import type { DeliveryInput } from '../../workflows/messages.ts';

export { WebhookDelivery } from '../../workflows/webhook-delivery.ts';
export { WebhookTest } from '../../workflows/webhook-test.ts';

/** Stands for the lead's workflow. */
export async function Parent(deliveries: DeliveryInput[]): Promise<void> {
  await startDeliveries(deliveries);
  await startDeliveries(deliveries);
}
