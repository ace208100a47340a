import type { Model } from '../../db/catalog/catalog.ts';
import { ApiError } from '../../base/errors/apiError.ts';

const refuse = (message: string, param: string) =>
  new ApiError({ status: 404, code: 'model_not_found', param, message });

const shown = (name: string) => name.slice(0, 256);

/** No model has this name. Without a `nearest` one, there is none for what was asked. */
export const modelNotFound = (name: string, nearest: string | undefined, param = 'model') => {
  const hint = nearest === undefined ? 'No model here is for this.' : `Did you mean '${nearest}'?`;
  const lists = `GET /v1/models lists all${name.includes('/') ? ', GET /v1/agents the agents' : ''}.`;
  return refuse(`The model '${shown(name)}' does not exist, or is not for this. ${hint} ${lists}`, param);
};

const KINDS: Record<Model['kind'], { noun: string; route: string }> = {
  text: { noun: 'a text model', route: 'POST /v1/chat/completions' },
  embedding: { noun: 'an embedding model', route: 'POST /v1/embeddings' },
  speech: { noun: 'a speech model', route: 'POST /v1/audio/speech' },
  transcription: { noun: 'a transcription model', route: 'POST /v1/audio/transcriptions' },
  realtime: { noun: 'a model for voice sessions', route: 'the WebSocket /v1/realtime' },
  conversion: { noun: 'a voice conversion model', route: 'POST /voiceapi/v1/speech-to-speech/{voice_id}' },
};

/** The voice family's own routes, for its callers. */
const VOICE_ROUTES: Partial<Record<Model['kind'], string>> = {
  speech: 'POST /voiceapi/v1/text-to-speech/{voice_id}',
  transcription: 'POST /voiceapi/v1/speech-to-text',
};

/** The model of this name belongs to another route. */
export function modelOfAnotherKind({
  name,
  kind,
  nearest,
  param,
}: {
  name: string;
  kind: Model['kind'];
  nearest: string | undefined;
  param: string;
}): ApiError {
  const { noun, route: textRoute } = KINDS[kind];
  const route = (param === 'model_id' && VOICE_ROUTES[kind]) || textRoute;
  const hint =
    nearest === undefined ? 'No model here is for this route.' : `For this route, did you mean '${nearest}'?`;
  return refuse(`The model '${shown(name)}' is ${noun}: send it to ${route}. ${hint}`, param);
}
