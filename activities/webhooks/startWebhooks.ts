import { DUE_MAX, markTold, readDueDeliveries, type DueDelivery } from '../../db/webhooks/deliveries.ts';
import type { WebhookDependencies } from '../dependencies.ts';

/**
 * Reconciles the workflows of deliveries: starts new ones, wakes those due for redelivery, and ends those of cancelled deliveries.
 * Idempotent. Returns their number.
 */
export async function startWebhooks(
  { db, webhooks }: Pick<WebhookDependencies, 'db' | 'webhooks'>,
  onFailure: (error: unknown, deliveryId: string) => void,
): Promise<number> {
  for (let all = 0; ;) {
    const due = await readDueDeliveries(db.everywhere);
    const done = (await Promise.all(due.map((delivery) => bringUpToDate(delivery)))).filter(Boolean).length;
    all += done;
    if (done < DUE_MAX) return all;
  }

  async function bringUpToDate(delivery: DueDelivery): Promise<boolean> {
    try {
      const { isFlood } = delivery;
      if (delivery.status === 'pending')
        await webhooks.workflows.start(delivery, { isAgain: delivery.round > 1, isFlood });
      else if (delivery.status === 'cancelled') await webhooks.workflows.cancel(delivery);
      await markTold(db.everywhere, delivery);
      return true;
    } catch (error) {
      // The next sweep retries it.
      onFailure(error, delivery.id);
      return false;
    }
  }
}
