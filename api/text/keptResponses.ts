import { z } from 'zod';
import { ITEM_HOURS } from '../../db/answers/responseItems.ts';
import { countPromptTokens } from '../../providers/metering/tokens.ts';
import type { Context, Handler } from '../context.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import type { DeletedThing } from '../files/presentFile.ts';
import { openAiPageOf, presentOpenAiPage } from '../http/page.ts';
import type { CallServices } from '../../calls/services.ts';
import type { KeptResponse } from '../../calls/text/responses/keepResponse.ts';
import { findModel } from '../../calls/findModel.ts';
import { invalidValue, unsupportedParameter } from '../../base/errors/invalidRequest.ts';
import { resolveInput, truncated, type ParsedResponses } from '../../calls/text/responses/responsesRequest.ts';
import { readInputItems } from './inputItems.ts';

const ANSWER_ONLY = 'A response is read whole: follow it while it is made, or resume its stream by `Last-Event-ID`.';

/** Query of `GET /responses/{response_id}`. */
export const RetrieveQuery = z.object({
  include: z.unknown().optional().describe('What a response includes was decided when it was made.'),
  'include[]': z.unknown().optional(),
  include_obfuscation: z.unknown().optional(),
  stream: z.string().optional().describe(ANSWER_ONLY),
  starting_after: z.string().optional().describe(ANSWER_ONLY),
});

/** `GET /responses/{response_id}`: a response of the last day whose `store` was not false. Throws 404 `response_not_found`. */
export function retrieveResponse(services: CallServices): Handler<z.output<typeof RetrieveQuery>> {
  return async (ctx) => {
    const { stream, starting_after: after } = ctx.state.input;
    if (stream !== undefined && stream !== 'false') throw unsupportedParameter('stream');
    if (after !== undefined) throw unsupportedParameter('starting_after');
    ctx.body = (await findResponse(ctx, services)).response;
  };
}

/** `DELETE /responses/{response_id}`: also its output items. */
export function deleteResponse(services: CallServices): Handler {
  return async (ctx) => {
    const { id, response } = await findResponse(ctx, services);
    const ids = [id, ...response.output.map((item) => item.id)];
    await services.db.responseItems.remove(ctx.state.key.workspaceId, ids);
    ctx.body = { id, object: 'response', deleted: true } satisfies DeletedThing;
  };
}

const ITEMS_DEFAULT = 20;
const ITEMS_MAX = 100;

/** Query of `GET /responses/{response_id}/input_items`. */
export const InputItemsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(ITEMS_MAX).default(ITEMS_DEFAULT),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().min(1).max(500).optional(),
  include: z.unknown().optional(),
  'include[]': z.unknown().optional(),
});

/** A page of a response's input. */
export const InputItemList = openAiPageOf(z.looseObject({ id: z.string(), type: z.string() }));

/** `GET /responses/{response_id}/input_items`: the items of the input, the last one first. Throws 404 `response_not_found`. */
export function listInputItems(services: CallServices): Handler<z.output<typeof InputItemsQuery>> {
  return async (ctx) => {
    const { limit, order, after } = ctx.state.input;
    const items = await readInputItems(services, ctx.state.key.workspaceId, await findResponse(ctx, services));
    if (order === 'desc') items.reverse();
    const from = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && from === 0) throw invalidValue('after', `No input item with the id '${after}'.`);
    const data = items.slice(from, from + limit);
    ctx.body = presentOpenAiPage(data, from + limit < items.length) satisfies z.infer<typeof InputItemList>;
  };
}

/** The count of a request's input tokens. */
export const InputTokens = z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() });

/** `POST /responses/input_tokens`: the tokens that the request would be counted as. Calls no model, and costs nothing. */
export function countInputTokens(services: CallServices): Handler<ParsedResponses> {
  return async (ctx) => {
    const parsed = ctx.state.input;
    // Of the count alone at OpenAI: the model's instructions for a style, whose tokens are not known here.
    if (parsed.rest.personality !== undefined) throw unsupportedParameter('personality');
    const model = findModel(ctx.state, services, parsed.model, 'text');
    const { body } = await truncated(await resolveInput(ctx.state, services, parsed), model);
    const input_tokens = await countPromptTokens(body, model.mediaTokens);
    ctx.body = { object: 'response.input_tokens', input_tokens } satisfies z.infer<typeof InputTokens>;
  };
}

async function findResponse(ctx: Context, { db }: Pick<CallServices, 'db'>): Promise<KeptResponse> {
  const id = ctx.state.params.response_id!;
  const text = id.startsWith('resp_')
    ? (await db.responseItems.find(ctx.state.key.workspaceId, [id])).get(id)
    : undefined;
  if (text !== undefined) return JSON.parse(text) as KeptResponse;
  throw new ApiError({
    status: 404,
    code: 'response_not_found',
    message: `Response with id '${id.slice(0, 256)}' not found. Responses are kept for ${ITEM_HOURS} hours, unless 'store' is false.`,
  });
}
