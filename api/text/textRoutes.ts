import { textBody, MEDIA_BODY, TOKENS_BODY, type BodyLimits } from '../body/body.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { audioDocs } from './audio/audioDocs.ts';
import { createSpeech, parseSpeech } from './audio/speech.ts';
import { createTranscription } from './audio/transcriptions.ts';
import { createChatCompletion } from './chat/chat.ts';
import { parseChat } from './chat/chatInput.ts';
import { createCompletion } from './chat/completions.ts';
import { parseCompletions } from './chat/completionsInput.ts';
import { createEmbeddings, parseEmbeddings } from './embeddings.ts';
import { listModels, retrieveModel } from './models.ts';
import { createResponse } from './responses/responses.ts';
import { parseResponses } from './responses/responsesRequest.ts';
import { textDocs } from './textDocs.ts';

/** OpenAI's routes, at both of their addresses. */
export function textRoutes(services: Services, keyed: Keyed): Route[] {
  const llm = (parse: (value: unknown) => unknown, limits: BodyLimits) => keyed(scope('llm'), textBody(parse, limits));
  const free = keyed();
  const spoken = keyed(scope('voice'), textBody(parseSpeech));
  // An upload is counted before its body is read.
  const heard = keyed(scope('voice'));
  const about = { ...textDocs(exampleModels(services)), ...audioDocs() };
  return ['/textapi/v1', '/v1'].flatMap((prefix) => [
    post(`${prefix}/chat/completions`, llm(parseChat, MEDIA_BODY), createChatCompletion(services), about.chat),
    post(`${prefix}/completions`, llm(parseCompletions, TOKENS_BODY), createCompletion(services), about.completions),
    post(`${prefix}/responses`, llm(parseResponses, MEDIA_BODY), createResponse(services), about.responses),
    post(`${prefix}/embeddings`, llm(parseEmbeddings, TOKENS_BODY), createEmbeddings(services), about.embeddings),
    post(`${prefix}/audio/speech`, spoken, createSpeech(services), about.speech),
    post(`${prefix}/audio/transcriptions`, heard, createTranscription(services, 'transcribe'), about.transcriptions),
    post(`${prefix}/audio/translations`, heard, createTranscription(services, 'translate'), about.translations),
    get(`${prefix}/models`, free, listModels(services), about.listModels),
    get(`${prefix}/models/:id`, free, retrieveModel(services), about.retrieveModel),
  ]);
}

// Examples name models that this installation has.
function exampleModels({ catalog }: Services): { modelId: string; embeddingModelId: string } {
  const first = (kind: string) => catalog.models.find((model) => model.kind === kind)?.id ?? 'none';
  return { modelId: first('text'), embeddingModelId: first('embedding') };
}
