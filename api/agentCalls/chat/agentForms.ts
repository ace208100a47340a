import type { Context } from '../../context.ts';
import type { Services } from '../../services.ts';
import { identify, type StreamPresenter } from '../../../calls/text/presenter.ts';
import { createChatPresenter, presentChat } from '../../../calls/text/chat/chat.ts';
import { withFiles } from '../../../calls/text/chat/choices.ts';
import type { ParsedText } from '../../../calls/text/parameters/parameters.ts';
import { keeperOf } from '../../../calls/text/responses/keepResponse.ts';
import { presentResponse } from '../../../calls/text/responses/presentResponse.ts';
import { createResponsesPresenter } from '../../../calls/text/responses/responsesPresenter.ts';
import { resolveInput, type ParsedResponses } from '../../../calls/text/responses/responsesRequest.ts';
import { placesOfMessages } from '../../../calls/text/responses/toMessages.ts';
import type { BilledUsage } from '../../../calls/text/usage.ts';
import type { AgentRequest } from './chatOrder.ts';

/** How a route reads its request and presents an agent's answer, where `model` is an agent's name. */
export interface AgentForm<Input extends ParsedText> {
  metadataOf(input: Input): Record<string, string>;
  /** Whether its clients can approve a tool's call: then the run waits for them. */
  canApprove: boolean;
  /** The member that errors about the conversation name. */
  read(ctx: Context<Input>): Promise<AgentRequest> | AgentRequest;
  presenter(ctx: Context<Input>): StreamPresenter;
  whole(ctx: Context<Input>, reply: object, usage: BilledUsage): void;
}

const identityOf = (ctx: Context<ParsedText>) => identify(ctx.state, { id: ctx.state.input.model });

/** Agents as models of `POST /chat/completions`. */
export function chatForm(services: Services): AgentForm<ParsedText> {
  const metadataOf = ({ body }: ParsedText) => (body.metadata ?? {}) as Record<string, string>;
  return {
    metadataOf,
    canApprove: false,
    async read(ctx) {
      const parsed = await withFiles(ctx.state, services, ctx.state.input);
      return { parsed, sent: parsed.body, place: 'messages', metadata: metadataOf(parsed) };
    },
    presenter(ctx) {
      const { includeUsage } = ctx.state.input;
      return createChatPresenter({ ...identityOf(ctx), choices: 1, includeUsage });
    },
    whole(ctx, reply, usage) {
      ctx.body = presentChat({ ...reply }, { ...identityOf(ctx), usage });
    },
  };
}

/** A response as an agent reads it. */
export function agentRequestOf(parsed: ParsedResponses): AgentRequest {
  const { request } = parsed;
  const { input: items, metadata = {} } = request;
  return { parsed, sent: { ...request }, place: 'input', places: placesOfMessages(request), metadata, items };
}

/** Agents as models of `POST /responses`. */
export function responsesForm(services: Services): AgentForm<ParsedResponses> {
  const metadataOf = ({ request: { metadata = {} } }: ParsedResponses) => metadata;
  const answerOf = (ctx: Context<ParsedResponses>) => {
    const parsed = ctx.state.input;
    const onEnd = keeperOf(services, ctx.state.key.workspaceId, parsed);
    return { ...identityOf(ctx), echo: parsed.echo, onEnd };
  };
  return {
    metadataOf,
    canApprove: true,
    async read(ctx) {
      return agentRequestOf(await resolveInput(ctx.state, services, ctx.state.input));
    },
    presenter: (ctx) => createResponsesPresenter(answerOf(ctx)),
    whole(ctx, reply, usage) {
      const { onEnd, ...answer } = answerOf(ctx);
      const response = presentResponse({ ...reply }, { ...answer, usage });
      onEnd(response);
      ctx.body = response;
    },
  };
}
