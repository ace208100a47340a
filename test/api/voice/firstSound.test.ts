import { afterAll, expect, test } from '@jest/globals';
import { setVoiceStage } from './voiceStage.ts';

const stage = await setVoiceStage();
afterAll(() => stage.close());

test('sends the first audio before the last sentence is spoken', async () => {
  const sentences = Array.from({ length: 30 }, (_, at) => `This is the sentence with the number ${at}.`);
  const response = await stage.speak('alloy/stream?output_format=pcm_16000', { text: sentences.join(' ') });
  let read = 0;
  const reader = response.body!.getReader();
  const first = await reader.read();
  read += first.value!.length;
  // Only a small part has arrived, because the rest was not produced yet.
  const firstRead = read;
  for (let part = await reader.read(); !part.done; part = await reader.read()) read += part.value.length;
  expect(firstRead).toBeLessThan(read / 4);
  expect(read).toBeGreaterThan(1_000_000);
});
