import type { z } from 'zod';
import { usdOf } from '../../db/money.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import type { Context } from '../../api/context.ts';
import { nowMsOf } from '../../api/guard/testMode.ts';
import type { UsageAnswer } from './chat/chatAnswer.ts';
import { responseIdOf } from './responseId.ts';

/** A usage, and what was charged for it in nano-USD. */
export interface BilledUsage extends Usage {
  chargedNanos?: bigint;
}

/** How a streamed answer ended: complete, or cut because its hold could not grow (the client sees `length`). */
export interface StreamEnd {
  usage: BilledUsage;
  cutShort: boolean;
}

/**
 * Turns an upstream's chat or completion chunks into server-sent events for one route's clients. A presenter serves one answer and keeps
 * its state. It does no I/O.
 */
export interface StreamPresenter {
  /** Text to send before the first chunk (may be empty). */
  start(): string;
  /** Text for the chunks of one network read. Chunks arrive in order and are the upstream's JSON, which may be modified. */
  push(chunks: Json[]): string;
  /** The last text of a complete stream. Sent after the answer is settled. */
  end(end: StreamEnd): string;
  /** The last text of a stream that broke after its first byte. */
  fail(error: ErrorBody): string;
}

/** The identity of an answer, which all its parts carry: the platform's own, never the upstream's. */
export interface AnswerIdentity {
  /** The answer's id, with its route's prefix (`chatcmpl-…`, `cmpl-…`, `resp_…`). */
  id: string;
  /** When the answer began, in whole seconds since 1970. */
  created: number;
  /** The service's id of the model. */
  modelId: string;
  /** How far the clock of a test workspace is ahead. */
  aheadMs?: number | undefined;
}

/** Id, time and model of the answer to a request. Routes whose answers have no id use the request's. */
export function identify(ctx: Context, model: { id: string }): AnswerIdentity {
  const { state } = ctx;
  const id = responseIdOf(state.route, state.requestId) ?? state.requestId;
  return { id, created: Math.floor(nowMsOf(ctx) / 1000), modelId: model.id, aheadMs: state.aheadMs };
}

/**
 * The billed usage as chat, completions and their streams show it. Further details of the upstream (`upstream`, the `usage` member of its
 * answer) are kept beside it.
 */
export function presentUsage(usage: BilledUsage, upstream?: unknown): z.infer<typeof UsageAnswer> {
  const said = asObject(upstream);
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { ...asObject(said.prompt_tokens_details), cached_tokens: usage.cachedInputTokens ?? 0 },
    completion_tokens_details: {
      ...asObject(said.completion_tokens_details),
      reasoning_tokens: usage.reasoningTokens ?? 0,
    },
    ...costOf(usage),
  };
}

/** The member of a usage that holds the charge in US dollars, as in OpenRouter's answers. */
export function costOf({ chargedNanos }: BilledUsage): { cost?: number } {
  return chargedNanos === undefined ? {} : { cost: usdOf(chargedNanos) };
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
