import type { Snippet } from '../parts/CodeSnippets.tsx';
import { firstCalls, firstSpeechCalls } from '../parts/firstCalls.ts';
import type { Model } from '../playground/models.ts';

/** A call of the model with the official clients, ready to run once the key is in it. */
export function callsOf(apiUrl: string, { id, kind }: Pick<Model, 'id' | 'kind'>): Snippet[] {
  if (kind === 'text' || kind === 'agent') return firstCalls(apiUrl, undefined, id);
  const call = { label: 'curl', code: CALLS[kind](apiUrl, id) };
  return kind === 'speech' ? [call, ...firstSpeechCalls(apiUrl)] : [call];
}

const KEY = '-H "Authorization: Bearer YOUR_API_KEY"';
const JSON_BODY = '-H "Content-Type: application/json"';

const CALLS: Record<Exclude<Model['kind'], 'text' | 'agent'>, (apiUrl: string, id: string) => string> = {
  embedding: (apiUrl, id) => `curl ${apiUrl}/v1/embeddings \\
  ${KEY} ${JSON_BODY} \\
  -d '${JSON.stringify({ model: id, input: 'Hello' })}'`,
  speech: (apiUrl, id) => `curl ${apiUrl}/v1/audio/speech --output hello.mp3 \\
  ${KEY} ${JSON_BODY} \\
  -d '${JSON.stringify({ model: id, voice: 'alloy', input: 'Hello' })}'`,
  transcription: (apiUrl, id) => `curl ${apiUrl}/v1/audio/transcriptions \\
  ${KEY} \\
  -F model=${id} -F file=@speech.mp3`,
  conversion: (apiUrl, id) => `curl ${apiUrl}/voiceapi/v1/speech-to-speech/VOICE_ID --output other.mp3 \\
  -H "xi-api-key: YOUR_API_KEY" \\
  -F model_id=${id} -F audio=@speech.mp3`,
  realtime: (apiUrl, id) => `npx wscat ${KEY} \\
  -c "${apiUrl.replace(/^http/, 'ws')}/v1/realtime?model=${encodeURIComponent(id)}"`,
};
