import { writeFile } from 'node:fs/promises';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';

const client = new ElevenLabsClient({ baseUrl: `${process.env.BASE_URL}/voiceapi`, apiKey: process.env.API_KEY });
const sound = await client.textToSpeech.convert('21m00Tcm4TlvDq8ikWAM', {
  text: 'Hello.',
  modelId: 'eleven_multilingual_v2',
});
await writeFile('hello.mp3', sound);
