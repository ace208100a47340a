/** The model of every call, as the measured catalogue has it. */
export const BENCH_MODEL = 'bench-text';

/** A chat call as bytes, ready to be written again and again: about 110 bytes of body. */
export function chatRequest({ key, stream }: { key: string; stream: boolean }): Buffer {
  const messages = [{ role: 'user', content: 'Say the sentence that you always say.' }];
  const streaming = stream ? { stream: true, stream_options: { include_usage: true } } : {};
  const body = JSON.stringify({ model: BENCH_MODEL, messages, ...streaming });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
