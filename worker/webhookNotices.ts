import type { Logger } from 'pino';
import { startWebhooks } from '../activities/webhooks/startWebhooks.ts';
import type { Notices } from '../db/postgres/notices.ts';

/** Starts deliveries when a notice reports a recorded event. A sweep finds events with missed notices every five seconds. */
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
      // A notice during the read may belong to an event that was not read.
      isDue = false;
      await startWebhooks(dependencies, onFailure).catch(onFailure);
    }
    isStarting = false;
  }

  notices.listen((notice) => notice.kind === 'webhook' && void start());
}
