import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { ResponseError } from 'openai/resources/responses/responses';
import { reasoningIn } from '../../../providers/metering/producedText.ts';
import { jsonOf } from '../../../providers/plainChunk.ts';
import { ProviderError } from '../../../providers/provider.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import type { AnswerIdentity, StreamEnd, StreamPresenter } from '../presenter.ts';
import {
  createEventLog,
  streamCall,
  streamCustomCall,
  streamMessage,
  streamReasoning,
  type StreamedItem,
} from './streamedItems.ts';
import { logprobsOf } from './outputItems.ts';
import type { ItemStatus, OutputItem } from './outputItems.ts';
import {
  approvalsIn,
  completion,
  endingOf,
  responseSkeleton,
  responseUsage,
  type PresentedResponse,
  type ResponseEcho,
} from './presentResponse.ts';

type Choice = ChatCompletionChunk.Choice;
/** The client's types leave out custom tools, whose calls are streamed too. */
type CallPiece = ChatCompletionChunk.Choice.Delta.ToolCall & { custom?: { name?: string; input?: string } };

interface StreamedResponse extends AnswerIdentity {
  echo: ResponseEcho;
  /** Whether deltas are padded, so that their sizes reveal nothing of their content. */
  obfuscates?: boolean;
  /** Called with the whole response once it has ended and is billed. */
  onEnd?: (response: PresentedResponse) => void;
}

/**
 * Presents an upstream's chat chunks as the event sequence of a response: created, in progress, then item by item
 * (reasoning, message, function calls, each whole before the next begins), and last the whole response with its usage.
 * `push` throws `ProviderError` when the upstream goes back to a function call that it had left.
 */
export function createResponsesPresenter({
  obfuscates = false,
  onEnd = () => undefined,
  ...answer
}: StreamedResponse): StreamPresenter {
  const log = createEventLog({ obfuscates });
  const response = responseSkeleton(answer);
  const items = streamedOutput();
  let finishReason: string | null = null;
  let serviceTier: unknown;

  const pushChoice = (choice: Partial<Choice>): void => {
    // One choice is requested, and nothing of it follows its end.
    if ((choice.index ?? 0) !== 0 || finishReason !== null) return;
    const { content, refusal, tool_calls: calls, ...delta } = choice.delta ?? {};
    const reasoning = reasoningIn(delta);
    if (reasoning) items.reasoning().add(reasoning);
    if (content) items.message().addText(content, logprobsOf(choice.logprobs));
    if (refusal) items.message().addRefusal(refusal);
    for (const piece of (calls ?? []) as CallPiece[])
      items.call(piece).add(piece.function?.arguments ?? piece.custom?.input ?? '');
    for (const item of approvalsIn(choice.delta)) items.whole(item);
    finishReason = choice.finish_reason || null;
  };

  /** The items in order, of which at most one is open. */
  function streamedOutput() {
    const closed: OutputItem[] = response.output;
    let open: StreamedItem | null = null;
    const close = (status: ItemStatus): void => {
      if (open !== null) closed.push(open.close(status));
      open = null;
    };
    const next = <Item extends StreamedItem>(make: (outputIndex: number) => Item): Item => {
      close('completed');
      const item = make(closed.length);
      open = item;
      return item;
    };
    return {
      close,
      whole: (item: OutputItem) => {
        close('completed');
        log.add({ type: 'response.output_item.added', output_index: closed.length, item });
        log.add({ type: 'response.output_item.done', output_index: closed.length, item });
        closed.push(item);
      },
      isEmpty: () => closed.length === 0 && open === null,
      message: () => (open?.kind === 'message' ? open : next((index) => streamMessage(log, index))),
      reasoning: () =>
        open?.kind === 'reasoning' ? open : next((index) => streamReasoning(log, index, answer.echo.reasoning)),
      call: (piece: CallPiece) => {
        if (open?.kind === 'call' && continues(piece, open)) return open;
        const { isCustom, ...call } = beginning(piece);
        return next((index) => (isCustom ? streamCustomCall : streamCall)(log, index, call));
      },
    };
  }

  return {
    start() {
      log.add({ type: 'response.created', response });
      log.add({ type: 'response.in_progress', response });
      return log.take();
    },
    push(chunks) {
      for (const { choices, service_tier } of chunks.map(jsonOf)) {
        serviceTier = service_tier ?? serviceTier;
        for (const choice of (choices ?? []) as Partial<Choice>[]) pushChoice(choice);
      }
      return log.take();
    },
    end({ usage, cutShort }: StreamEnd) {
      const ending = endingOf(cutShort ? 'length' : finishReason);
      if (items.isEmpty()) items.message().addText('', []);
      items.close(ending.status);
      const whole = {
        ...response,
        ...ending,
        ...completion(ending.status, serviceTier, answer.aheadMs),
        usage: responseUsage(usage),
      };
      onEnd(whole);
      log.add({ type: `response.${ending.status}`, response: whole });
      return log.take();
    },
    fail(error) {
      items.close('incomplete');
      log.add({ type: 'response.failed', response: { ...response, status: 'failed', error: responseError(error) } });
      return log.take();
    },
  };
}

/** The first piece of a call brings its id; some upstreams repeat the id, and some give all calls the index 0. */
function continues({ index, id }: CallPiece, open: { upstreamIndex: number; upstreamId: string }): boolean {
  return (index ?? 0) === open.upstreamIndex && (!id || id === open.upstreamId);
}

function beginning({ index, id, function: called, custom }: CallPiece) {
  const name = custom?.name || called?.name;
  if (!name) throw new ProviderError('failed', 'The upstream sent a piece of a tool call that is not open.');
  return { index: index ?? 0, id: id ?? '', name, isCustom: Boolean(custom?.name) };
}

/** OpenAI has a closed list of codes here; any other is a server error. */
function responseError({ code, message }: ErrorBody): ResponseError {
  return { code: code === 'rate_limit_exceeded' ? code : 'server_error', message };
}
