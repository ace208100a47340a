import { priceIdOf } from '../../../db/catalog/prices.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import type { Context } from '../../context.ts';
import { modelUnavailable } from '../../../base/errors/serviceErrors.ts';
import type { Services } from '../../services.ts';
import { pricedAt } from '../../../calls/findModel.ts';
import { findCallerVoice, resolveSpeechModel } from '../../../calls/sound/callerVoice.ts';
import { callOf } from '../../../calls/text/textCall.ts';
import { refuseUnknownTool } from '../../../calls/text/parameters/namedTools.ts';
import { refuseUnsupportedParameter } from '../../../calls/text/parameters/refusal.ts';
import { invalidValue } from '../../../base/errors/invalidRequest.ts';
import { truncated } from '../../../calls/text/responses/responsesRequest.ts';
import { toChat } from '../../../calls/text/responses/toChat.ts';
import type { AnswerOrder } from './answer.ts';
import type { ResponseInput } from '../session/clientEvents.ts';
import type { Conversation } from '../session/conversation.ts';
import { itemOf, placeOfOrphan, toInput, withoutCall } from '../session/items.ts';
import type { Emit } from '../session/outputItems.ts';
import type { RealtimeSession } from '../session/sessionConfig.ts';
import type { VoiceOrder } from './spokenText.ts';

/** What an answer is made from, beside what is asked of it. */
export interface AnswerSource {
  ctx: Context;
  services: Services;
  /** The model of the session. */
  model: Model;
  session: RealtimeSession;
  conversation: Conversation;
  emit: Emit;
}

/** One response of a session: the session's settings, with what this response says differently. */
export async function answerOrder(source: AnswerSource, asked: ResponseInput): Promise<AnswerOrder> {
  const { services, session, conversation, emit } = source;
  const startedAtMs = Date.now();
  const model = pricedAt(services, source.model, startedAtMs);
  const priced = { ...source, model };
  const textModel = modelNamed(services, model.pipeline!.text);
  const [modality = 'audio'] = asked.output_modalities ?? session.output_modalities;
  const spoken = { voice: voiceNameOf(asked), speed: asked.audio?.output?.speed ?? undefined };
  const voiceName = spoken.voice ?? session.audio.output.voice;
  const isOutOfBand = asked.conversation === 'none';
  // A voice that is named is checked also where the answer is text, as in a session.
  const isVoiced = modality === 'audio' || spoken.voice !== undefined;
  const voice = isVoiced ? await voiceOrder(priced, spoken, 'response') : null;
  const output = { format: session.audio.output.format, voice: voiceName };
  return {
    model,
    startedAtMs,
    textModel,
    call: await callFor(priced, asked, textModel),
    voice: modality === 'audio' ? voice : null,
    conversation: isOutOfBand ? null : conversation,
    echo: {
      conversation_id: isOutOfBand ? null : source.ctx.state.requestId.replace('req_', 'conv_'),
      output_modalities: [modality],
      max_output_tokens: asked.max_output_tokens ?? session.max_output_tokens,
      audio: { output },
      metadata: asked.metadata ?? null,
    },
    emit,
  };
}

const voiceNameOf = ({ audio }: ResponseInput): string | undefined => {
  const voice = audio?.output?.voice ?? undefined;
  return typeof voice === 'object' ? voice.id : voice;
};

/**
 * The voice of a session, or of a response that says some of it differently; throws for an unknown one, and for what its model does not
 * support.
 */
export async function voiceOrder(
  { ctx, services, model, session }: Omit<AnswerSource, 'conversation' | 'emit'>,
  { voice: name = session.audio.output.voice, speed = session.audio.output.speed }: { voice?: string; speed?: number },
  place: 'session' | 'response',
): Promise<VoiceOrder> {
  const voice = await findCallerVoice(services, ctx.state.key.workspaceId, name);
  if (!voice) throw invalidValue(`${place}.audio.output.voice`, `There is no voice '${name.slice(0, 100)}'.`);
  const speechModel = resolveSpeechModel(ctx.state, services, { name: model.pipeline!.speech, voice });
  ctx.state.log.model = model.id;
  const manner = { ...(speed !== 1 && { speed }), ...(voice.settings && { settings: voice.settings }) };
  refuseUnsupportedParameter(
    services.voiceProviders.speech(speechModel).unsupported({ ...manner, voice: voice.voice }),
    `${place}.audio.output.`,
  );
  return { model: speechModel, voice, manner, characterPicos: model.rates.output_characters ?? 0n };
}

/** A model of the pipeline. */
function modelNamed({ catalog }: Services, name: string): Model {
  const model = catalog.find(name);
  if (!model) throw modelUnavailable(`The catalogue has no model ${name}.`);
  return model;
}

async function callFor(source: AnswerSource, asked: ResponseInput, textModel: Model): Promise<AnswerOrder['call']> {
  const { ctx, session, conversation } = source;
  const items = asked.input?.map((item) =>
    item.type === 'item_reference' ? conversation.find(item.id, 'response.input') : itemOf(item),
  );
  const orphan = items ? placeOfOrphan(items, items) : -1;
  if (orphan !== -1) throw withoutCall(`response.input[${orphan}].call_id`);
  refuseToolChoice(asked, session);
  const tokensMax = asked.max_output_tokens ?? session.max_output_tokens;
  const tools = asked.tools ?? session.tools;
  const body = toChat(
    {
      model: textModel.id,
      instructions: (asked.instructions ?? session.instructions) || undefined,
      input: toInput(items ?? conversation.items),
      tools: tools.map((tool) => ({ ...tool, type: 'function' as const, description: tool.description ?? undefined })),
      tool_choice: asked.tool_choice ?? session.tool_choice,
      parallel_tool_calls: asked.parallel_tool_calls ?? session.parallel_tool_calls,
      max_output_tokens: tokensMax === 'inf' ? undefined : tokensMax,
      reasoning: asked.reasoning ?? session.reasoning ?? undefined,
      temperature: asked.temperature ?? session.temperature,
    } as Parameters<typeof toChat>[0],
    {},
  );
  // A model is asked for something even where nothing was said.
  if ((body.messages as unknown[]).length === 0) body.messages = [{ role: 'system', content: '' }];
  const sized = { body, outputTokensMax: tokensMax === 'inf' ? null : tokensMax, choices: 1 };
  const priced = pricedAs(source.model, textModel);
  const { truncation } = session;
  const cut = await truncated({ ...sized, request: { truncation } }, priced, conversation.countOnce);
  const bodyBytes = Buffer.byteLength(JSON.stringify(cut.body));
  return callOf({ route: ctx.state.route, bodyBytes }, cut, priced, 'chat/completions');
}

/** Throws for a choice that the tools do not allow. Checked here: a session may be given its choice before its tools. */
function refuseToolChoice(asked: ResponseInput, session: RealtimeSession): void {
  const tools = asked.tools ?? session.tools;
  const choice = asked.tool_choice ?? session.tool_choice;
  const param = asked.tool_choice ? 'response.tool_choice' : 'session.tool_choice';
  const offered = tools.map(({ name }) => ({ type: 'function' as const, name }));
  if (typeof choice === 'object') refuseUnknownTool(choice, offered, param);
  if (choice === 'required' && tools.length === 0) throw invalidValue(param, `'required' needs at least one tool.`);
}

/** The text model at the prices of the session: a prompt costs nothing unless the catalogue has a price for it. */
function pricedAs({ id, rates }: Model, textModel: Model): Model {
  const ofText = { input_tokens: rates.input_tokens ?? 0n, output_tokens: rates.output_tokens ?? 0n };
  return { ...textModel, rates: ofText, priceId: priceIdOf(id, ofText) };
}
