import { ITEM_HOURS } from '../../../db/responseItems.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../errors/apiError.ts';
import { bodyTooLarge } from '../../errors/requestErrors.ts';
import type { Services } from '../../services.ts';
import type { ResponseItem } from '../schema/responseItem.ts';
import type { ParsedResponses } from '../schema/responses.ts';
import { toChat } from './toChat.ts';

/** A short reference may stand for a long item. */
const REFERENCED_CHARS_MAX = 16 * 1024 * 1024;

/** Replaces item references by the items. Throws 404 `item_not_found` that names the first unknown one. */
export async function resolveReferences(
  ctx: Context,
  { db }: Services,
  parsed: ParsedResponses,
): Promise<ParsedResponses> {
  const { input } = parsed.request;
  if (typeof input === 'string') return parsed;
  const ids = input.flatMap((item) => (item.type === 'item_reference' ? [item.id] : []));
  if (ids.length === 0) return parsed;
  const found = await db.responseItems.find(ctx.state.key.workspaceId, ids);
  let characters = 0;
  const resolved = input.map((item, index): ResponseItem => {
    if (item.type !== 'item_reference') return item;
    const text = found.get(item.id);
    if (text === undefined) throw itemNotFound(item.id, index);
    characters += text.length;
    if (characters > REFERENCED_CHARS_MAX) throw bodyTooLarge(REFERENCED_CHARS_MAX);
    return JSON.parse(text) as ResponseItem;
  });
  // Estimates and holds by the request's size include the referenced items.
  ctx.state.bodyBytes += characters;
  const request = { ...parsed.request, input: resolved };
  return { ...parsed, request, body: toChat(request, parsed.rest) };
}

const itemNotFound = (id: string, index: number) =>
  new ApiError({
    status: 404,
    code: 'item_not_found',
    param: `input[${index}].id`,
    message: `Item with id '${id.slice(0, 256)}' not found. Output items are kept for ${ITEM_HOURS} hours, unless 'store' is false. Send the item itself.`,
  });
