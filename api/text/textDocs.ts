import { ITEM_HOURS } from '../../db/answers/responseItems.ts';
import * as headers from '../http/documentedHeaders.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { DeletedAnswer } from '../files/presentFile.ts';
import { ResponseAnswer, ResponseEvent } from '../../calls/text/responses/responseAnswer.ts';
import { ChatCompletion, ChatCompletionChunk, Completion } from '../../calls/text/chat/chatAnswer.ts';
import { Embeddings, EmbeddingsInput } from '../../calls/text/embeddings.ts';
import { ChatInput, CHAT_REFUSED } from '../../calls/text/chat/chatInput.ts';
import { CompletionsInput } from '../../calls/text/chat/completionsInput.ts';
import { InputItemList, InputItemsQuery, InputTokens, RetrieveQuery } from './keptResponses.ts';
import { RESPONSES_REFUSED } from '../../calls/text/responses/responsesRequest.ts';
import { ResponsesInput } from '../../calls/text/responses/responsesInput.ts';

const MESSAGES = [{ role: 'user', content: 'What is the capital of France?' }];
const IN_EVENTS = 'The answer; with `stream: true`, server-sent events.';

const AGENTS =
  'The name of a public agent in the place of a model, as in `"model": "acme/poet"`, or with a channel `acme/poet@beta`, starts a run of ' +
  'it, which costs what the run costs: at most ' +
  'the agent’s maximum, or `metadata.max_cost_usd`. The header `location` names the run. A caller that disconnects cancels it, and pays for ' +
  'what it consumed. `metadata.session_id` continues a session. What the publisher decides (`temperature`, `tools` and the like) is ' +
  'refused, unless it has OpenAI’s default. ' +
  'Of a typed agent the answer is its data as JSON. Files and pictures are sent as data: URLs; those that the agent has made are in `run.files` of a whole answer.';

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** Documentation of the routes of text. `modelId` and `embeddingModelId` are used in examples. */
export function textDocs({ modelId, embeddingModelId }: { modelId: string; embeddingModelId: string }) {
  return {
    chat: {
      tag: 'Text',
      summary: 'Answer a chat',
      description: `${AGENTS} Refused with 400 \`unsupported_parameter\` when sent and not null: ${listed(CHAT_REFUSED)}, and \`modalities\` other than \`["text"]\`.`,
      headers: headers.IGNORED,
      input: { id: 'ChatCompletionRequest', schema: ChatInput, example: { model: modelId, messages: MESSAGES } },
      answer: { id: 'ChatCompletion', schema: ChatCompletion },
      stream: { when: IN_EVENTS, event: { id: 'ChatCompletionChunk', schema: ChatCompletionChunk } },
      isPaid: true,
    },
    completions: {
      tag: 'Text',
      summary: 'Continue a text',
      input: {
        id: 'CompletionRequest',
        schema: CompletionsInput,
        example: { model: modelId, prompt: 'The capital of France is', max_tokens: 8 },
      },
      answer: { id: 'Completion', schema: Completion },
      stream: { when: IN_EVENTS, event: { id: 'Completion', schema: Completion } },
      isPaid: true,
    },
    responses: {
      tag: 'Text',
      summary: 'Create a response',
      description: `${AGENTS} Each request carries its history: send earlier output back as input, or refer to its items. Refused with 400 \`unsupported_parameter\` when sent and not null: ${listed(RESPONSES_REFUSED)}. \`background\` may be false.`,
      headers: headers.IGNORED,
      input: {
        id: 'ResponseRequest',
        schema: ResponsesInput,
        example: { model: modelId, input: 'What is the capital of France?' },
      },
      answer: { id: 'Response', schema: ResponseAnswer },
      stream: { when: IN_EVENTS, event: { id: 'ResponseEvent', schema: ResponseEvent } },
      isPaid: true,
    },
    ...keptResponseDocs(modelId),
    embeddings: {
      tag: 'Text',
      summary: 'Embed texts',
      input: {
        id: 'EmbeddingsRequest',
        schema: EmbeddingsInput,
        example: { model: embeddingModelId, input: 'The quick brown fox' },
      },
      answer: { id: 'Embeddings', schema: Embeddings },
      isPaid: true,
    },
  } satisfies Record<string, RouteDoc>;
}

function keptResponseDocs(modelId: string) {
  return {
    inputTokens: {
      tag: 'Text',
      summary: "Count a request's input tokens",
      description: 'Calls no model, and costs nothing.',
      headers: headers.IGNORED,
      input: {
        id: 'ResponseRequest',
        schema: ResponsesInput,
        example: { model: modelId, input: 'What is the capital of France?' },
      },
      answer: { id: 'ResponseInputTokens', schema: InputTokens },
      errors: [404],
    },
    retrieveResponse: {
      tag: 'Text',
      summary: 'Read a response',
      description: `Responses are kept for ${ITEM_HOURS} hours, unless \`store\` is false.`,
      query: RetrieveQuery,
      answer: { id: 'Response', schema: ResponseAnswer },
      errors: [404],
    },
    deleteResponse: {
      tag: 'Text',
      summary: 'Delete a response',
      description: 'Deletes what is kept of it: the response, its input and its output items.',
      answer: { id: 'Deleted', schema: DeletedAnswer },
      errors: [404],
    },
    inputItems: {
      tag: 'Text',
      summary: "List a response's input",
      description:
        'The items, the last one first: as they were sent, with the members that may be left out. A reference is read as its item, while that is kept.',
      query: InputItemsQuery,
      answer: { id: 'ResponseInputItems', schema: InputItemList },
      errors: [404],
    },
  } satisfies Record<string, RouteDoc>;
}
