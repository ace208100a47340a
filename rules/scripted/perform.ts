import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises';
import { drained, waitAtMost } from '../../base/waiting.ts';
import type { Json, TextPath } from '../../providers/provider.ts';
import { countPromptTokens } from '../../providers/metering/tokens.ts';
import { tokensOf, wholeAnswer, type Scene, chunksOf } from './answers.ts';
import type { Script, Fault } from './script.ts';
import { echoesOf, speechOf } from './speech.ts';

/** Answers one call by its script. */
export async function perform(response: ServerResponse, path: TextPath, script: Script, call: Call): Promise<void> {
  const { body } = call;
  // No longer than its caller: a remaining timer would keep a test's process alive.
  if (script.headDelayMs) await waitAtMost(script.headDelayMs, once(response, 'close'));
  if (response.destroyed) return;
  if (script.status !== undefined) return sendError(response, script);
  if (path === 'embeddings')
    return performAnswer(
      response,
      (script.raw as Json | undefined) ?? (await embeddingsAnswer(body)),
      script.fault,
      call,
    );
  const scene = await sceneOf(path, body, script, call);
  call.promptTokens = scene.speech.promptTokens;
  if (body.stream === true && script.fault !== 'noStream') return performStream(response, scene, body, call);
  call.outputTokens = tokensOf(scene.speech.pieces) * scene.choices;
  return performAnswer(response, (script.raw as Json | undefined) ?? wholeAnswer(scene), script.fault, call);
}

async function sceneOf(path: TextPath, body: Json, script: Script, call: Call): Promise<Scene> {
  return {
    path,
    id: `${path === 'completions' ? 'cmpl' : 'chatcmpl'}-${call.id}`,
    model: String(body.model),
    created: Math.floor(call.startedAt / 1000),
    choices: Number(body.n ?? 1) * promptsOf(body.prompt),
    likelyTokens: likelyTokensOf(body),
    echoes: path === 'completions' && body.echo === true ? await echoesOf(body) : [],
    script,
    speech: await speechOf(script, body),
  };
}

/** A chat asks for log probabilities by a boolean, a completion by a number. */
function likelyTokensOf({ logprobs, top_logprobs: top }: Json): number | null {
  if (typeof logprobs === 'number') return logprobs;
  return logprobs === true ? Number(top ?? 0) : null;
}

/** A list of prompts gets one choice for each; a list of token numbers is one prompt. */
function promptsOf(prompt: unknown): number {
  return Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
}

function sendError(response: ServerResponse, { status = 500, error, retryAfter, retryAfterMs }: Script): void {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  const body = { error: { message: `Scripted failure ${status}.`, type, param: null, code: null, ...error } };
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    ...(retryAfterMs !== undefined && { 'retry-after-ms': retryAfterMs }),
  });
  response.end(JSON.stringify(body));
}

const ERROR_FRAME = { error: { message: 'The engine broke.', type: 'server_error', param: null, code: 'broken' } };

/** Sends one JSON answer, changed by the fault. */
async function performAnswer(response: ServerResponse, answer: Json, fault: Fault | undefined, call: Call) {
  if (fault === 'stall') return;
  const text = JSON.stringify(fault === 'errorFrame' ? ERROR_FRAME : answer);
  const bytes = Buffer.from(fault === 'malformed' ? text.slice(0, text.length / 2) : text);
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(fault !== 'endless' && { 'content-length': bytes.length }),
  });
  if (fault === 'byByte') for (const byte of bytes) await sendPart(response, Buffer.of(byte));
  else if (fault === 'endless') while (!response.destroyed) await sendPart(response, Buffer.from(' '));
  else if (fault === 'halfClose' || fault === 'reset' || fault === 'endEarly') {
    await sendPart(response, bytes.subarray(0, bytes.length / 2));
    breakOff(response, fault === 'reset' ? 'reset' : 'halfClose', call);
  } else response.write(bytes);
  response.end();
}

async function sendPart(response: ServerResponse, part: Buffer): Promise<void> {
  response.write(part);
  await nextTurn();
}

const FAULT_AFTER_CHUNKS_DEFAULT = 2;

/** Streams the scene as server-sent events, with the script's delays and faults, until its end or until the caller disconnects. */
async function performStream(response: ServerResponse, scene: Scene, body: Json, call: Call): Promise<void> {
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

/** Ends an answer as no correct upstream does; the log shows such a call as ended by the upstream. */
function breakOff(response: ServerResponse, fault: 'halfClose' | 'reset', call: Call): void {
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

/** Each text becomes a separate packet; the turn of the event loop detects a disconnect between two of them. */
async function send(response: ServerResponse, text: string, fault: Fault | undefined): Promise<void> {
  const parts = fault === 'byByte' ? [...Buffer.from(text)].map((byte) => Buffer.of(byte)) : [text];
  for (const part of parts) {
    if (!response.write(part)) await drained(response);
    await nextTurn();
  }
}

/** The upstream's record of one call. Times are milliseconds since 1970. */
export interface Call {
  id: string;
  path: TextPath;
  body: Json;
  /** The body as it arrived. */
  text: string;
  headers: Json;
  promptTokens: number;
  /** Output tokens written to the socket. */
  outputTokens: number;
  chunksSent: number;
  startedAt: number;
  /** Unset while the call runs. */
  endedAt?: number;
  /** The caller closed the connection before the answer's end. */
  aborted: boolean;
  /** From the call's start to the moment the caller's disconnect was detected. */
  abortedAfterMs?: number;
}

/** Creates the record of a call that begins now. */
export function beginCall(id: string, path: TextPath, headers: Json): Call {
  return {
    id,
    path,
    body: {},
    text: '',
    headers,
    promptTokens: 0,
    outputTokens: 0,
    chunksSent: 0,
    startedAt: Date.now(),
    aborted: false,
  };
}

/** Closes the record once; `complete`: the answer's last byte was written. */
export function endCall(call: Call, complete: boolean): void {
  if (call.endedAt !== undefined) return;
  call.endedAt = Date.now();
  if (complete) return;
  call.aborted = true;
  call.abortedAfterMs = call.endedAt - call.startedAt;
}

const DIMENSIONS_DEFAULT = 8;

/** An embeddings answer: the same input always has the same unit vector. */
async function embeddingsAnswer(body: Json): Promise<Json> {
  const dimensions = Number(body.dimensions ?? DIMENSIONS_DEFAULT);
  const tokens = await countPromptTokens(body);
  return {
    object: 'list',
    data: inputsOf(body.input).map((input, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(vectorOf(JSON.stringify(input), dimensions), body.encoding_format === 'base64'),
    })),
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** A string or one list of token numbers is a single input. */
export function inputsOf(input: unknown): unknown[] {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input : [input];
}

// One hash for each vector: a hash for each number of 2,048 vectors takes 6 s.
function vectorOf(seed: string, dimensions: number): Float32Array {
  let state = hash('sha256', seed, 'buffer').readUInt32LE(0) || 1;
  let squares = 0;
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 1) {
    // Marsaglia's xorshift32.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[at] = state / 2 ** 31;
    squares += vector[at]! ** 2;
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

function encoded(vector: Float32Array, asBase64: boolean): string | number[] {
  return asBase64 ? Buffer.from(vector.buffer).toString('base64') : [...vector];
}
