import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { faultsOfData, textOfFaults, type JsonSchema } from '../base/jsonSchema.ts';
import { isObject } from '../base/json.ts';
import { asSentence } from '../base/sentences.ts';
import { HTTP_TOOLS } from '../base/limits.ts';
import type { Egress } from './guardedAgent.ts';
import { exchange, type Exchange } from './httpExchange.ts';
import { signedHeaders } from './signedHeaders.ts';
import { ToolFailure, type Tool, type ToolCaller, type ToolContext, type ToolResult } from './tool.ts';

/** A tool that is a publisher's own code at an address. */
export interface HttpToolSource {
  name: string;
  description: string;
  input_schema: JsonSchema;
  url: string;
  timeout_seconds?: number | null;
}

/** How HTTP tools are called. */
export interface HttpToolAccess {
  agent: Agent;
  egress: Egress;
  /** The secrets that sign the calls of an agent. */
  secretsOf: (agentId: string) => Promise<string[]>;
  firstDelayMs?: number;
}

const TRIES_MAX = 6;
const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 10_000;

/** A tool that posts its arguments, signed, to a publisher's address. */
export function httpTool(source: HttpToolSource, access: HttpToolAccess): Tool {
  const { name, description, input_schema: parameters } = source;
  return {
    definition: { name, description, parameters },
    kind: 'tool',
    run: async (args, context) => {
      if (!context.caller) throw new Error('an HTTP tool is called by a step of a run');
      const call = { caller: context.caller, args: fittingArguments(source, args) };
      return callUntilTimeout(source, await requestOf(source, access, call), access, context);
    },
  };
}

/** The arguments, if they fit the tool's schema. Throws `ToolFailure`. */
function fittingArguments({ input_schema: schema }: HttpToolSource, args: unknown): Record<string, unknown> {
  if (!isObject(args)) throw new ToolFailure('The arguments must be one JSON object.');
  const faults = faultsOfData(schema, args);
  if (faults.length > 0) throw new ToolFailure(`The arguments do not fit the tool's schema. ${textOfFaults(faults)}.`);
  return args;
}

/** A signed request. Each try is signed anew, with the same body and id. */
export interface ToolRequest {
  body: string;
  headers: () => Record<string, string>;
}

/** The request of a call. Its id, the step's, is the idempotency key. */
export async function requestOf(
  { name }: HttpToolSource,
  { secretsOf }: Pick<HttpToolAccess, 'secretsOf'>,
  { caller, args }: { caller: ToolCaller; args: Record<string, unknown> },
): Promise<ToolRequest> {
  const { runId, stepId, agentId, agent, version, mode } = caller;
  const secrets = await secretsOf(agentId);
  if (secrets.length === 0) throw new ToolFailure('The tool cannot be called: its agent has no signing secret.');
  const body = JSON.stringify({
    type: 'tool.call',
    id: stepId,
    tool: name,
    arguments: args,
    run_id: runId,
    agent,
    version,
    mode,
  });
  const headers = () => ({
    ...signedHeaders({ id: stepId, body, secrets }),
    'idempotency-key': stepId,
    'content-type': 'application/json',
    accept: 'application/json, text/*, application/x-ndjson',
    'accept-encoding': 'identity',
    'user-agent': 'Ledgerline-Tools',
  });
  return { body, headers };
}

/** Calls until there is an answer that stays, or the time is up. Throws the signal's reason when that is aborted. */
async function callUntilTimeout(
  source: HttpToolSource,
  request: ToolRequest,
  access: HttpToolAccess,
  { signal, onProgress = () => {} }: Pick<ToolContext, 'signal' | 'onProgress'>,
): Promise<ToolResult> {
  const timeoutMs = (source.timeout_seconds ?? HTTP_TOOLS.timeoutSeconds) * 1_000;
  const endMs = performance.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  for (let tries = 1; ; tries += 1) {
    const { result, retry } = await tryOnce(source, request, access, { signal: either, onProgress });
    signal.throwIfAborted();
    if (!retry || tries >= TRIES_MAX) return resultOf(result, tries);
    const delayMs = delayOf(tries, retry.afterMs, access.firstDelayMs ?? FIRST_DELAY_MS);
    if (performance.now() + delayMs >= endMs) return resultOf(result, tries);
    await sleep(delayMs, undefined, { signal });
  }
}

/** One try. What ends it is in its result. */
export async function tryOnce(
  { name, url, timeout_seconds: seconds }: HttpToolSource,
  { body, headers }: ToolRequest,
  { agent, egress }: Pick<HttpToolAccess, 'agent' | 'egress'>,
  { signal, onProgress }: Required<Pick<ToolContext, 'signal' | 'onProgress'>>,
): Promise<Exchange> {
  const done = await exchange({ agent, egress }, { url, headers: headers(), body }, { signal, onProgress });
  const said = done.isLate
    ? `did not answer within ${secondsText(seconds ?? HTTP_TOOLS.timeoutSeconds)}.`
    : done.result.text;
  return done.result.isError ? { ...done, result: { text: `The tool ${name} ${said}`, isError: true } } : done;
}

const secondsText = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`);

const resultOf = ({ text, isError }: Exchange['result'], tries: number): ToolResult => ({
  text: isError && tries > 1 ? `${asSentence(text)} It was tried ${tries} times.` : text,
  isError,
  sandboxMs: 0,
});

function delayOf(tries: number, afterMs: number, firstDelayMs: number): number {
  // Jitter, so that calls that failed together do not retry together.
  const growingMs = firstDelayMs * 2 ** (tries - 1) * (0.75 + Math.random() / 4);
  return Math.max(afterMs, Math.min(DELAY_MS_MAX, growingMs));
}
