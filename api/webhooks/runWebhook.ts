import { findEndpointAt } from '../../db/webhooks/endpoints.ts';
import { validationError } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import { checkUrl } from './webhookSchema.ts';

/**
 * The webhook of a run as it is stored. Its address must be that of an enabled endpoint of the workspace, but for the query: the endpoint's
 * secret signs what is sent there, and only who manages the workspace chooses where events go. Throws 422.
 */
export async function runWebhookOf(
  { db, config }: Pick<Services, 'db'> & { config: Pick<Services['config'], 'webhookLoopback'> },
  workspaceId: string,
  { webhook_url: url, webhook_events: types }: { webhook_url?: string; webhook_events?: string[] },
): Promise<{ webhookUrl: string | null; webhookEvents: string[] | null }> {
  if (url === undefined && types === undefined) return { webhookUrl: null, webhookEvents: null };
  if (url === undefined) throw refused('webhook_events', 'Send webhook_url too, where these events go.');
  const webhookUrl = await checkUrl(url, { loopback: config.webhookLoopback, member: 'webhook_url' });
  if (await findEndpointAt(db.read(workspaceId), webhookUrl))
    return { webhookUrl, webhookEvents: types && types.length > 0 ? types : null };
  throw refused(
    'webhook_url',
    'No enabled webhook endpoint of the workspace has this address (a query may be added to it), so nothing could sign the deliveries. Make one with POST /platform/v1/webhook_endpoints.',
  );
}

const refused = (member: string, msg: string) => validationError([{ loc: ['body', member], msg, type: 'value_error' }]);
