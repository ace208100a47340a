import { postRequest } from './postRequest.ts';

/** The model of every call, as the measured catalogue has it. */
export const BENCH_MODEL = 'bench-text';

/** A chat call as bytes, ready to be written again and again: about 110 bytes of body. */
export function chatRequest({ key, stream }: { key: string; stream: boolean }): Buffer {
  const messages = [{ role: 'user', content: 'Say the sentence that you always say.' }];
  const streaming = stream ? { stream: true, stream_options: { include_usage: true } } : {};
  return postRequest({ path: '/v1/chat/completions', key, body: { model: BENCH_MODEL, messages, ...streaming } });
}
