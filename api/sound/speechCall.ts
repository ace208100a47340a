import type { Bill, Hold } from '../../db/ledger.ts';
import { newId } from '../../db/ids.ts';
import { usdTextOf } from '../../db/money.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import type { SpeechChunk } from '../../providers/speech.ts';
import { billNow } from '../bill.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from '../http/answer.ts';
import type { Context } from '../context.ts';
import { asApiError } from '../guard/errors.ts';
import type { Services } from '../services.ts';
import { isPaidInPart, shownError, watchCaller } from '../stream/watchCaller.ts';
import { holdPrice, truncationHeaders, type PricedHold } from './holdPrice.ts';
import { abandonCall, settleInTime } from './settling.ts';
import { soundIn, started } from './started.ts';
import { openHistory, type HistoryWriter } from './keepSpeech.ts';
import type { Marks, SoundSink } from './soundSink.ts';
import { charactersOf, orderWithin, priceOf, quantitiesOf, type SpeechOrder } from './speechOrder.ts';

interface Speech {
  ctx: Context;
  services: Services;
  order: SpeechOrder;
  hold: Hold;
  priced: PricedHold;
  /** See `watchCaller`. */
  abort: CallAbort;
  sink: SoundSink;
  /** Characters whose sound the engine has given. */
  produced: number;
  /** Times that have not been sent yet. */
  marks: Marks[];
  firstByteMs: number | null;
  bytes: number;
  history: HistoryWriter | undefined;
}

/**
 * Speaks a text into the answer, held, metered and billed by its characters: the bill is on the ledger before the answer ends. The sound
 * leaves as it is made. A failure before the first sound is thrown; a later one breaks the answer off; neither bills. A client that
 * disconnects, or whose key ends in mid-sound, pays for the characters whose sound was made, and so does one whose answer breaks off because
 * this process ends. Money for a part of the text buys that part if the caller allows it.
 */
export async function runSpeechCall(
  ctx: Context,
  services: Services,
  { order, sink }: { order: SpeechOrder; sink: SoundSink },
): Promise<void> {
  const { model } = order;
  const priceNanos = priceOf(charactersOf(order.text), model);
  const priced = await holdPrice(ctx, services, { priceNanos, leastNanos: priceOf(1, model) });
  const { hold } = priced;
  if (ctx.res.destroyed) throw abandonCall(ctx, services, { hold, model });
  const speech: Speech = {
    ctx,
    services,
    order: priced.truncatedBy ? orderWithin(order, hold.amountNanos) : order,
    hold,
    priced,
    abort: new CallAbort(),
    sink,
    produced: 0,
    marks: [],
    firstByteMs: null,
    bytes: 0,
    history: undefined,
  };
  const stopWatching = watchCaller(ctx, services, speech.abort, hold);
  try {
    await produce(speech);
    stopWatching();
    await finish(speech);
  } catch (error) {
    stopWatching();
    await endEarly(speech, error);
  }
}

async function produce(speech: Speech): Promise<void> {
  const { ctx, services, order, hold, abort, sink } = speech;
  const { text, voice, manner, model, format } = order;
  const input = { ...manner, text, voice: voice.voice, format: format.vendorName };
  const chunks = services.voiceProviders.speech(model).speak(input, abort);
  services.db.ledger.follow(hold, ctx.state.requestId, () => billOf(speech, 200));
  for await (const sound of soundIn(format, await started(metered(speech, chunks)))) {
    if (speech.firstByteMs === null) begin(speech);
    speech.bytes += sound.length;
    await speech.history?.write(sound);
    await sink.write(ctx.res, sound, speech.marks.splice(0));
    if (abort.aborted) throw abort.reason;
  }
}

async function* metered(speech: Speech, chunks: AsyncIterable<SpeechChunk>): AsyncGenerator<SpeechChunk> {
  for await (const chunk of chunks) {
    speech.produced += chunk.characters;
    if (chunk.marks) speech.marks.push(chunk.marks);
    yield chunk;
  }
}

function begin(speech: Speech): void {
  const { ctx, services, order, sink } = speech;
  const characters = charactersOf(order.text);
  // From here on Koa has nothing to answer.
  ctx.respond = false;
  speech.firstByteMs = elapsedMs(ctx);
  ctx.res.setHeader('content-type', sink.mediaType);
  ctx.res.setHeader('request-id', ctx.state.requestId);
  ctx.res.setHeader('character-cost', characters);
  ctx.res.setHeader('x-cost-usd', usdTextOf(priceOf(characters, order.model)));
  ctx.set(truncationHeaders(speech.priced));
  if (order.keptAs === null) return;
  const id = newId('hist');
  ctx.res.setHeader('history-item-id', id);
  speech.history = openHistory(services, { workspaceId: ctx.state.key.workspaceId, id });
}

async function finish(speech: Speech): Promise<void> {
  const { ctx, services, order, sink } = speech;
  await settleInTime(ctx, services, speech.hold, billOf(speech, 200));
  await speech.history?.keep({
    requestId: ctx.state.requestId,
    source: 'TTS',
    voice: order.voice,
    modelId: order.model.id,
    text: order.text,
    characters: charactersOf(order.text),
    contentType: order.format.mediaType,
    outputFormat: order.keptAs!,
    settings: order.manner.settings ?? null,
  });
  sink.end(ctx.res, { characters: charactersOf(order.text) });
}

async function endEarly(speech: Speech, error: unknown): Promise<void> {
  const { ctx, services, hold, abort, sink } = speech;
  await speech.history?.drop();
  if (abort.reason === 'left') {
    ctx.state.log.cancelled = true;
    await settleInTime(ctx, services, hold, { ...billOf(speech, CLIENT_CLOSED_STATUS), cancelled: true });
    return;
  }
  const shown = asApiError(shownError(abort, error), ctx.state.requestId);
  const isCut = isPaidInPart(abort) || (abort.reason === 'shutdown' && sink.isUsableInPart);
  if (isCut && speech.firstByteMs !== null)
    await settleInTime(ctx, services, hold, { ...billOf(speech, shown.status), cancelled: true });
  else await services.db.ledger.fail(hold, { ...billOf(speech, shown.status), usage: quantitiesOf(0) });
  if (speech.firstByteMs === null) throw abort.aborted ? shown : error;
  ctx.state.log.error = error;
  sink.fail(ctx.res, shown.body);
}

function billOf({ ctx, order, produced, firstByteMs, bytes }: Speech, status: number): Bill {
  const quantities = quantitiesOf(produced);
  return { ...billNow(ctx, { model: order.model, quantities, status }), firstByteMs, streamBytes: bytes };
}
