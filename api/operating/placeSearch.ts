import type { z } from 'zod';
import { requestIdIn } from '../../calls/text/responseId.ts';
import { findAnywhere } from '../../db/search/findAnywhere.ts';
import { modeOf } from '../../db/workspaces/mode.ts';
import { actorOf, type Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { Places } from './platformAnswers.ts';
import type { PlaceQuery } from './platformDocs.ts';

/** `GET /console/v1/platform/search`: to which workspace something belongs. What is found is audited. */
export function searchEverywhere({ db }: Services): Handler<z.output<typeof PlaceQuery>> {
  return async (ctx) => {
    const { query } = ctx.state.input;
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    const requestId = requestIdIn(query)?.requestId;
    const ids = requestId === undefined ? [] : [requestId];
    const found = await findAnywhere(db.everywhere, { text: query, ids, by: actorOf(ctx) });
    ctx.body = {
      object: 'list',
      data: found.map(({ object, id, name, workspaceId, workspaceName }) => ({
        object,
        id,
        name,
        workspace_id: workspaceId,
        workspace_name: workspaceName,
        mode: modeOf(workspaceId),
      })),
    } satisfies z.infer<typeof Places>;
  };
}
