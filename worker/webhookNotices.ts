import type { Logger } from 'pino';
import { startWebhooks } from '../activities/webhooks/startWebhooks.ts';
import type { Notices } from '../db/postgres/notices.ts';

/** Starts deliveries when a notice says that an event was recorded. A sweep finds those whose notice was missed, every five seconds. */
export function startWebhooksOnNotice(
  dependencies: Parameters<typeof startWebhooks>[0],
  notices: Pick<Notices, 'listen'>,
  logger: Logger,
): void {
  let isStarting = false;
  let isDue = false;
  const onFailure = (err: unknown) => logger.warn({ err }, 'a webhook is started by the next sweep');

  async function start(): Promise<void> {
    isDue = true;
    if (isStarting) return;
    isStarting = true;
    while (isDue) {
      // A notice that arrives meanwhile may be of an event that is not read any more.
      isDue = false;
      await startWebhooks(dependencies, onFailure).catch(onFailure);
    }
    isStarting = false;
  }

  notices.listen((notice) => notice.kind === 'webhook' && void start());
}
