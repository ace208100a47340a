import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../providers/provider.ts';
import type { Scene } from './answers.ts';
import { endCall } from './callLog.ts';
import type { Call } from './callLog.ts';
import { chunksOf } from './chunks.ts';
import type { Fault } from './script.ts';

const FAULT_AFTER_CHUNKS_DEFAULT = 2;

/** Streams the scene as server-sent events, with the script's delays and faults, until its end or until the caller leaves. */
export async function performStream(response: ServerResponse, scene: Scene, body: Json, call: Call): Promise<void> {
  const { fault, delayMs = 0, faultAfterChunks = FAULT_AFTER_CHUNKS_DEFAULT } = scene.script;
  if (fault === 'stall' && faultAfterChunks === 0) return;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  if (scene.script.raw !== undefined) await send(response, `data: ${JSON.stringify(scene.script.raw)}\n\n`, fault);
  const includeUsage = Boolean((body.stream_options as Json | undefined)?.include_usage) && scene.script.usage !== null;
  for (const { json, tokens } of chunksOf(scene, includeUsage)) {
    if (call.chunksSent === faultAfterChunks && fault && breakStream(response, fault, call)) return;
    if (delayMs > 0) await sleep(delayMs);
    if (response.destroyed) return;
    call.chunksSent += 1;
    call.outputTokens += tokens;
    await send(response, `data: ${JSON.stringify(json)}\n\n`, fault);
  }
  if (fault !== 'noDone') await send(response, 'data: [DONE]\n\n', fault);
  response.end();
}

/** Ends an answer in a way that no correct upstream does; the log shows such a call as ended by the upstream. */
export function breakOff(response: ServerResponse, fault: 'halfClose' | 'reset', call: Call): void {
  endCall(call, true);
  if (fault === 'reset') response.destroy();
  else response.socket?.end();
}

/** True when the fault ends or silences the stream. */
function breakStream(response: ServerResponse, fault: Fault, call: Call): boolean {
  if (fault === 'malformed') response.end('data: {"id": "chunk", "choices": [{"delta\n\n');
  else if (fault === 'errorFrame')
    response.end('data: {"error": {"message": "The engine broke.", "code": "broken"}}\n\n');
  else if (fault === 'endEarly') response.end();
  else if (fault === 'halfClose' || fault === 'reset') breakOff(response, fault, call);
  else return fault === 'stall';
  return true;
}

/** Each text becomes a packet of its own; the turn of the event loop lets a caller's leaving be seen between two of them. */
async function send(response: ServerResponse, text: string, fault: Fault | undefined): Promise<void> {
  const parts = fault === 'byByte' ? [...Buffer.from(text)].map((byte) => Buffer.of(byte)) : [text];
  for (const part of parts) {
    const drained = response.write(part);
    if (!drained && !response.destroyed) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await nextTurn();
  }
}
