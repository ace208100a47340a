import type { Handler } from '../context.ts';
import { sendPicture } from '../files/sendPicture.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { readAgent } from './publicAgents.ts';

const iconDoc = {
  tag: 'Agents',
  summary: 'Load an agent’s icon',
  description: 'A PNG, JPEG, WebP or GIF image, for pages. Needs no key.',
  statuses: [200, 304],
  answerHeaders: { etag: 'Of the image.', 'cache-control': 'How long it may be kept.' },
  errors: [422],
} as const satisfies RouteDoc;

/** The icon's route, which needs no key. */
export const iconRoutes = (services: Services): Route[] => [
  get('/v1/agents/:namespace/:slug/icon', [], retrieveAgentIcon(services), iconDoc),
];

/** `GET /v1/agents/{namespace}/{slug}/icon`: the icon of the public version, for everybody. 404 `icon_not_found` without one. */
function retrieveAgentIcon({ db }: Services): Handler {
  return async (ctx) => {
    const agent = await readAgent(db, ctx);
    const { icon_file_id: fileId } = agent.configuration;
    const isSent = await sendPicture(ctx, db.read(agent.workspaceId), { fileId, purpose: 'agent_icon' });
    if (!isSent) throw notFound(`The agent '${agent.id}' has no icon.`, 'icon_not_found');
  };
}
