import { z } from 'zod';
import { unixSecondsOf } from '../../base/isoTime.ts';
import { removeFile } from '../../db/files/files.ts';
import { findFile, beginReading } from '../../db/files/files.ts';
import { deleteSpeech, findSpeech, listSpeech, type SpeechHistoryRow } from '../../db/voices/speechHistory.ts';
import type { Context, Handler } from '../context.ts';
import { notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { soundModelIds } from '../../calls/sound/callerVoice.ts';
import type { Done, History, HistoryItem } from './voiceAnswers.ts';
import { sendStream } from '../http/sendStream.ts';

// A later date is outside the database's range.
const unixSeconds = z.coerce.number().int().min(0).max(253_402_300_799);

export const HistoryQuery = z.strictObject({
  page_size: z.coerce.number().int().min(1).max(1000).default(100),
  start_after_history_item_id: z.string().min(1).max(100).optional(),
  voice_id: z.string().min(1).max(256).optional(),
  model_id: z.string().min(1).max(256).optional().describe('Of the vendor, or as an item has it.'),
  source: z.enum(['TTS', 'STS']).optional(),
  search: z.string().max(500).optional(),
  date_after_unix: unixSeconds.optional(),
  date_before_unix: unixSeconds.optional(),
  sort_direction: z.enum(['asc', 'desc']).default('desc'),
});

/** `GET /v1/history`: the speech that the caller sees, newest first by default. */
export function listHistory({ db, catalog }: Services): Handler<z.output<typeof HistoryQuery>> {
  return async (ctx) => {
    const query = ctx.state.input;
    const page = await listSpeech(seenBy(db, ctx.state.key), {
      after: query.start_after_history_item_id ?? null,
      filter: {
        voiceId: query.voice_id,
        modelIds: query.model_id === undefined ? undefined : soundModelIds(catalog, query.model_id),
        source: query.source,
        search: query.search,
        from: query.date_after_unix,
        before: query.date_before_unix,
      },
      direction: query.sort_direction,
      limit: query.page_size,
    });
    if (!page)
      throw validationErrorAt(['query', 'start_after_history_item_id'], 'There is no history item with this id.');
    ctx.body = {
      history: page.rows.map(present),
      has_more: page.hasMore,
      last_history_item_id: page.rows.at(-1)?.id ?? null,
      scanned_until: null,
    } satisfies z.infer<typeof History>;
  };
}

/** `GET /v1/history/{item_id}`. */
export function retrieveHistoryItem(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await itemOf(ctx, services));
  };
}

/** `DELETE /v1/history/{item_id}`: the item and its audio. */
export function deleteHistoryItem({ db }: Services): Handler {
  return async (ctx) => {
    const { workspaceId, seesProjects } = ctx.state.key;
    const removed = await deleteSpeech(db.write(workspaceId), ctx.state.params.item_id!, seesProjects);
    if (!removed) throw historyItemNotFound(ctx.state.params.item_id!);
    if (removed.fileId !== null) await removeFile(db.write(workspaceId), removed.fileId);
    ctx.body = { status: 'ok' } satisfies z.infer<typeof Done>;
  };
}

/** `GET /v1/history/{item_id}/audio`: the stored audio. */
export function retrieveHistorySound(services: Services): Handler {
  return async (ctx) => {
    const item = await itemOf(ctx, services);
    if (item.fileId === null || item.fileId === undefined) throw soundNotKept();
    const { workspaceId } = ctx.state.key;
    const { sizeBytes } = await findFile(services.db.read(workspaceId), item.fileId);
    const to = ctx.method === 'HEAD' ? 0 : sizeBytes;
    const bytes = await beginReading(services.db.read(workspaceId), { id: item.fileId, from: 0, to });
    ctx.res.setHeader('content-type', item.contentType);
    ctx.res.setHeader('content-length', sizeBytes);
    await sendStream(ctx, bytes);
  };
}

/** The item with the id, which `param` names, or of the path. Throws 404 `history_item_not_found`. */
export async function itemOf(
  ctx: Context,
  { db }: Services,
  id: string = ctx.state.params.item_id!,
  param: string | null = null,
): Promise<SpeechHistoryRow> {
  const item = await findSpeech(seenBy(db, ctx.state.key), id);
  if (!item) throw historyItemNotFound(id, param);
  return item;
}

export const soundNotKept = () => notFound('The sound of this item was not kept.', 'audio_not_found');

const historyItemNotFound = (id: string, param: string | null = null) =>
  notFound(`A history item with the id ${id.slice(0, 100)} was not found.`, 'history_item_not_found', param);

function present(item: SpeechHistoryRow): z.infer<typeof HistoryItem> {
  return {
    history_item_id: item.id,
    request_id: item.requestId,
    voice_id: item.voiceId,
    voice_name: item.voiceName,
    voice_category: item.voiceCategory,
    model_id: item.askedModel ?? item.modelId,
    text: item.text,
    date_unix: unixSecondsOf(item.createdAt),
    // There are no monthly counts here: the change is the number of billed characters.
    character_count_change_from: 0,
    character_count_change_to: item.characters,
    content_type: item.contentType,
    state: 'created',
    settings: item.settings ?? null,
    source: item.source,
    output_format: item.outputFormat,
    feedback: null,
    share_link_id: null,
    alignments: null,
    dialogue: null,
  };
}
