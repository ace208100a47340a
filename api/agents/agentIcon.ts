import { findFile, readBytes, type StoredFile } from '../../db/files/files.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import type { Context, Handler } from '../context.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { namesTag } from '../http/answer.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { readAgent } from './publicAgents.ts';

const CACHE_SECONDS = 300;

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
    const rows = db.read(agent.workspaceId);
    const file = fileId === null ? undefined : await findFile(rows, fileId).catch(asMissing);
    if (file?.purpose !== 'agent_icon') throw notFound(`The agent '${agent.id}' has no icon.`, 'icon_not_found');
    describe(ctx, file);
    if (namesTag(ctx.get('if-none-match'), ctx.response.get('etag'))) {
      ctx.status = 304;
      ctx.body = null;
      return;
    }
    const parts: Uint8Array[] = [];
    for await (const part of readBytes(rows, { id: file.id, from: 0, to: file.sizeBytes })) parts.push(part);
    ctx.body = Buffer.concat(parts);
    ctx.type = file.mediaType;
  };
}

/** A publisher's bytes on the API's origin: usable as an image on any page, and as nothing else. */
function describe(ctx: Context, { sha256 }: StoredFile): void {
  ctx.set({
    etag: `"${Buffer.from(sha256).toString('hex')}"`,
    'cache-control': `public, max-age=${CACHE_SECONDS}`,
    'content-disposition': 'inline',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
}

function asMissing(error: unknown): undefined {
  if (!(error instanceof StorageRefused && error.code === 'file_not_found')) throw error;
  return undefined;
}
