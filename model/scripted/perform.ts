import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, TextPath } from '../../providers/provider.ts';
import { tokensOf, wholeAnswer } from './answers.ts';
import type { Scene } from './answers.ts';
import type { Call } from './callLog.ts';
import { embeddingsAnswer } from './embeddings.ts';
import { performAnswer } from './performAnswer.ts';
import { performStream } from './performStream.ts';
import type { Script } from './script.ts';
import { speechOf } from './speech.ts';

/** Answers one call the way the script says. */
export async function perform(response: ServerResponse, path: TextPath, script: Script, call: Call): Promise<void> {
  const { body } = call;
  if (script.headDelayMs) await sleep(script.headDelayMs);
  if (response.destroyed) return;
  if (script.status !== undefined) return sendError(response, script);
  if (path === 'embeddings') return performAnswer(response, await embeddingsAnswer(body), script.fault, call);
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
    logprobs: body.logprobs === true,
    script,
    speech: await speechOf(script, body),
  };
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
