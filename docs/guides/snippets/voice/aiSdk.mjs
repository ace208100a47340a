import { createOpenAI } from '@ai-sdk/openai';
import { experimental_generateSpeech as generateSpeech, experimental_transcribe as transcribe } from 'ai';

const provider = createOpenAI({ baseURL: `${process.env.BASE_URL}/v1`, apiKey: process.env.API_KEY });
const { audio } = await generateSpeech({
  model: provider.speech('tts-1'),
  voice: 'alloy',
  text: 'What is the capital of France?',
});
const { text } = await transcribe({ model: provider.transcription('whisper-1'), audio: audio.uint8Array });
console.log(text);
