import type { Snippet } from './CodeSnippets.tsx';

/** The first call with the official clients of both vendors, ready to run: contains `key` when it is known. */
export function firstCalls(apiUrl: string, key = 'YOUR_API_KEY', model = 'MODEL'): Snippet[] {
  return [
    {
      label: 'curl',
      code: `curl ${apiUrl}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello"}]
  }'`,
    },
    {
      label: 'Python',
      code: `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${apiUrl}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
    },
    {
      label: 'Node',
      code: `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: '${apiUrl}/v1', apiKey: '${key}' });
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.choices[0].message.content);`,
    },
  ];
}

/** The same for speech, with ElevenLabs' clients. */
export function firstSpeechCalls(apiUrl: string, key = 'YOUR_API_KEY'): Snippet[] {
  return [
    {
      label: 'curl (speech)',
      code: `curl ${apiUrl}/voiceapi/v1/text-to-speech/VOICE_ID \\
  -H "xi-api-key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"text": "Hello"}' --output hello.mp3`,
    },
    {
      label: 'Python (speech)',
      code: `# pip install elevenlabs
from elevenlabs.client import ElevenLabs

client = ElevenLabs(base_url="${apiUrl}/voiceapi", api_key="${key}")
sound = client.text_to_speech.convert("VOICE_ID", text="Hello")
with open("hello.mp3", "wb") as file:
    for part in sound:
        file.write(part)`,
    },
    {
      label: 'Node (speech)',
      code: `// npm install @elevenlabs/elevenlabs-js
import { writeFile } from "node:fs/promises";
import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js";

const client = new ElevenLabsClient({ baseUrl: '${apiUrl}/voiceapi', apiKey: '${key}' });
const sound = await client.textToSpeech.convert('VOICE_ID', { text: 'Hello' });
await writeFile('hello.mp3', sound);`,
    },
  ];
}
