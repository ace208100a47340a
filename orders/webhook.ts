import { isIP } from 'node:net';
import { isPrivateName } from '../base/web.ts';
import type { Database } from '../db/database.ts';
import { findEndpointAt } from '../db/webhooks/endpoints.ts';
import type { Order } from './order.ts';
import { OrderRefused } from './refused.ts';

/** The stored webhook of a run's events. */
interface RunWebhook {
  webhookUrl: string | null;
  webhookEvents: string[] | null;
}

/**
 * The webhook of a run. Its address must be an enabled endpoint's of the workspace, except for the query: the endpoint's secret signs the
 * events, and only the workspace's managers choose where they go. Refuses with `webhook_refused`.
 */
export async function webhookOf(
  { db, config }: { db: Pick<Database, 'read'>; config: { webhookLoopback: boolean } },
  workspaceId: string,
  { webhook_url: url, webhook_events: types }: Pick<Order, 'webhook_url' | 'webhook_events'>,
): Promise<RunWebhook> {
  if (url === undefined && types === undefined) return { webhookUrl: null, webhookEvents: null };
  if (url === undefined) throw refused('webhook_events', 'Send webhook_url too, where these events go.');
  const address = await eventAddressOf(url, { loopback: config.webhookLoopback });
  if ('problem' in address) throw refused('webhook_url', address.problem);
  const { url: webhookUrl } = address;
  if (await findEndpointAt(db.read(workspaceId), webhookUrl))
    return { webhookUrl, webhookEvents: types && types.length > 0 ? types : null };
  throw refused(
    'webhook_url',
    'No enabled webhook endpoint of the workspace has this address (a query may be added to it), so nothing ' +
      'could sign the deliveries. Make one with POST /platform/v1/webhook_endpoints.',
  );
}

const refused = (member: string, message: string) => new OrderRefused({ reason: 'webhook_refused', member, message });

/**
 * The normalised address for events, or its fault. With `loopback`, also this machine, over http. Each delivery checks where its name
 * resolves.
 */
export async function eventAddressOf(
  text: string,
  { loopback }: { loopback: boolean },
): Promise<{ url: string } | { problem: string }> {
  const url = URL.parse(text);
  if (!url) return { problem: 'Send an absolute address, such as https://example.com/webhooks.' };
  if (url.username || url.password)
    return { problem: 'Send the address without a user name and password: deliveries are signed.' };
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = ['localhost', '127.0.0.1', '::1'].includes(hostname);
  url.hash = '';
  if (isLoopback && loopback && ['http:', 'https:'].includes(url.protocol)) return { url: url.href };
  if (url.protocol !== 'https:') return { problem: 'Send an https address.' };
  if (isIP(hostname) ? !(await isPublic(hostname)) : isPrivateName(hostname))
    return { problem: 'Send an address on the public internet: this one is private.' };
  return { url: url.href };
}

async function isPublic(address: string): Promise<boolean> {
  const { isPublicAddress } = await import('../tools/publicAddress.ts');
  return isPublicAddress(address);
}
