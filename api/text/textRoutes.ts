import type { z } from 'zod';
import { chatForm, responsesForm } from '../agentCalls/chat/agentForms.ts';
import { orAgent } from '../agentCalls/chat/orAgent.ts';
import { textBody } from '../body/body.ts';
import type { Ignorable } from '../body/ignoredParameters.ts';
import { fundedFirst } from '../guard/balance.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { get, post, remove, type Route } from '../http/router.ts';
import type { Handler } from '../context.ts';
import { retryable } from '../replay/retryable.ts';
import type { Services } from '../services.ts';
import { chat, completions } from '../../calls/text/chat/choices.ts';
import { embeddings } from '../../calls/text/embeddings.ts';
import type { BodySize } from '../../base/limits.ts';
import { responses } from '../../calls/text/responses/responses.ts';
import { answerText } from './answerText.ts';
import {
  countInputTokens,
  deleteResponse,
  InputItemsQuery,
  listInputItems,
  retrieveResponse,
  RetrieveQuery,
} from './keptResponses.ts';
import { textQuery } from '../body/textQuery.ts';
import { textDocs } from './textDocs.ts';

/** OpenAI's routes of text, at one of their two addresses. */
export function textRoutes(prefix: string, services: Services, keyed: Keyed): Route[] {
  const llm = <Input>(
    { parse, limits }: { parse: (body: unknown) => Input; limits: BodySize },
    refused: readonly Ignorable[] = [],
  ) => keyed(scope('llm'), textBody(parse, { ...limits, ...fundedFirst(services) }, refused));
  const ofChat = llm(chat, ['prediction']);
  const ofResponses = llm(responses, ['client_metadata', 'prediction', 'prompt_cache_key']);
  const llmQuery = <S extends z.ZodObject>(schema: S) => keyed(scope('llm'), textQuery(schema));
  const again = <Input extends object>(handler: Handler<Input>) => retryable(services, handler);
  const createChat = orAgent(services, chatForm(services), again(answerText(services, chat)));
  const createResponse = orAgent(services, responsesForm(services), again(answerText(services, responses)));
  const about = textDocs(exampleModels(services));
  return [
    post(`${prefix}/chat/completions`, ofChat, createChat, about.chat),
    post(`${prefix}/completions`, llm(completions), again(answerText(services, completions)), about.completions),
    post(`${prefix}/responses`, ofResponses, createResponse, about.responses),
    post(`${prefix}/responses/input_tokens`, ofResponses, countInputTokens(services), about.inputTokens),
    get(
      `${prefix}/responses/:response_id`,
      llmQuery(RetrieveQuery),
      retrieveResponse(services),
      about.retrieveResponse,
    ),
    remove(`${prefix}/responses/:response_id`, keyed(scope('llm')), deleteResponse(services), about.deleteResponse),
    get(
      `${prefix}/responses/:response_id/input_items`,
      llmQuery(InputItemsQuery),
      listInputItems(services),
      about.inputItems,
    ),
    post(`${prefix}/embeddings`, llm(embeddings), again(answerText(services, embeddings)), about.embeddings),
  ];
}

// Examples name models that this installation has.
function exampleModels({ catalog }: Services): { modelId: string; embeddingModelId: string } {
  const first = (kind: string) => catalog.models.find((model) => model.kind === kind)?.id ?? 'none';
  return { modelId: first('text'), embeddingModelId: first('embedding') };
}
