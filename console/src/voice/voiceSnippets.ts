import type { Snippet } from '../parts/CodeSnippets.tsx';
import { json, pythonOf } from '../playground/snippets.ts';
import { sessionOf, type VoiceOrder } from './voiceOrder.ts';

/** The current conversation as programs, which say a sentence and keep the spoken answer. The key is in the environment. */
export function voiceSnippets(apiUrl: string, order: VoiceOrder): Snippet[] {
  return order.mode === 'conversation'
    ? [
        { label: 'Python', code: pythonTalk(apiUrl, order) },
        { label: 'Node', code: nodeTalk(apiUrl, order) },
      ]
    : [
        { label: 'Python', code: pythonTranscript(apiUrl, order) },
        { label: 'Node', code: nodeTranscript(apiUrl, order) },
      ];
}

const MICROPHONE = 'From a microphone, append base64 of 16-bit samples at 24 kHz; the service finds the turns.';
const QUESTION = 'Hello! What time is it?';

const socketUrl = (apiUrl: string): string => `${apiUrl.replace(/^http/, 'ws')}/v1/realtime`;

// The client opens wss: for any base URL, unless sockets get their own.
const pythonStart = (apiUrl: string) => {
  const sockets = apiUrl.startsWith('http:') ? `websocket_base_url="${apiUrl.replace('http', 'ws')}/v1", ` : '';
  return `client = AsyncOpenAI(base_url="${apiUrl}/v1", ${sockets}api_key=os.environ["API_KEY"])`;
};

const pythonTalk = (apiUrl: string, order: VoiceOrder) => `# pip install "openai[realtime]"
import asyncio, base64, json, os, wave
from datetime import datetime
from openai import AsyncOpenAI

${pythonStart(apiUrl)}
session = ${pythonOf(sessionOf(order))}

async def main():
    sound = b""
    async with client.realtime.connect(model="${order.model}") as connection:
        await connection.session.update(session=session)
        # ${MICROPHONE}
        # await connection.input_audio_buffer.append(audio=...)
        content = [{"type": "input_text", "text": "${QUESTION}"}]
        await connection.conversation.item.create(item={"type": "message", "role": "user", "content": content})
        await connection.response.create()
        async for event in connection:
            if event.type == "response.output_audio.delta":
                sound += base64.b64decode(event.delta)
            elif event.type == "response.output_audio_transcript.delta":
                print(event.delta, end="", flush=True)
            elif event.type == "response.done":
                print(f"\\ncost in USD: {event.response.usage.cost}")
                calls = [item for item in event.response.output if item.type == "function_call"]
                if not calls:
                    break
                for call in calls:
                    output = json.dumps({"time": datetime.now().isoformat()})
                    answer = {"type": "function_call_output", "call_id": call.call_id, "output": output}
                    await connection.conversation.item.create(item=answer)
                await connection.response.create()
            elif event.type == "error":
                raise SystemExit(event.error.message)
    with wave.open("answer.wav", "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(24000)
        file.writeframes(sound)

asyncio.run(main())`;

const nodeStart = (url: string) => `// Node 22 or later; no package is needed.
const socket = new WebSocket('${url}', ['realtime', \`openai-insecure-api-key.\${process.env.API_KEY}\`]);
const send = (event) => socket.send(JSON.stringify(event));`;

const nodeTalk = (apiUrl: string, order: VoiceOrder) => `import { writeFileSync } from 'node:fs';

${nodeStart(`${socketUrl(apiUrl)}?model=${encodeURIComponent(order.model)}`)}
const session = ${json(sessionOf(order))};
const sound = [];

socket.onopen = () => {
  send({ type: 'session.update', session });
  // ${MICROPHONE}
  // send({ type: 'input_audio_buffer.append', audio });
  const content = [{ type: 'input_text', text: '${QUESTION}' }];
  send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  send({ type: 'response.create' });
};
socket.onmessage = ({ data }) => {
  const event = JSON.parse(data);
  if (event.type === 'response.output_audio.delta') sound.push(Buffer.from(event.delta, 'base64'));
  if (event.type === 'response.output_audio_transcript.delta') process.stdout.write(event.delta);
  if (event.type === 'error') throw new Error(event.error.message);
  if (event.type !== 'response.done') return;
  console.log(\`\\ncost in USD: \${event.response.usage.cost}\`);
  const calls = event.response.output.filter(({ type }) => type === 'function_call');
  for (const { call_id } of calls) {
    const output = JSON.stringify({ time: new Date().toISOString() });
    send({ type: 'conversation.item.create', item: { type: 'function_call_output', call_id, output } });
  }
  if (calls.length > 0) return send({ type: 'response.create' });
  // Samples without a header: ffplay -f s16le -ar 24000 -ac 1 answer.pcm
  writeFileSync('answer.pcm', Buffer.concat(sound));
  socket.close();
};`;

const FILE = 'A WAV file: one channel, 16 bits, 24 kHz.';

const pythonTranscript = (apiUrl: string, order: VoiceOrder) => `# pip install "openai[realtime]"
import asyncio, base64, os, wave
from openai import AsyncOpenAI

${pythonStart(apiUrl)}
session = ${pythonOf(sessionOf(order))}

async def main():
    # ${FILE}
    with wave.open("speech.wav", "rb") as file:
        sound = file.readframes(file.getnframes()) + bytes(48_000)  # a second of silence ends the turn
    async with client.realtime.connect(extra_query={"intent": "transcription"}) as connection:
        await connection.session.update(session=session)
        for at in range(0, len(sound), 9600):
            await connection.input_audio_buffer.append(audio=base64.b64encode(sound[at : at + 9600]).decode())
        async for event in connection:
            if event.type == "conversation.item.input_audio_transcription.completed":
                print(event.transcript)
                break
            if event.type == "error":
                raise SystemExit(event.error.message)

asyncio.run(main())`;

const nodeTranscript = (apiUrl: string, order: VoiceOrder) => `import { readFileSync } from 'node:fs';

${nodeStart(`${socketUrl(apiUrl)}?intent=transcription`)}
// ${FILE} A second of silence ends the turn.
const sound = Buffer.concat([readFileSync('speech.wav').subarray(44), Buffer.alloc(48_000)]);

socket.onopen = () => {
  send({ type: 'session.update', session: ${json(sessionOf(order)).replaceAll('\n', '\n  ')} });
  for (let at = 0; at < sound.length; at += 9_600)
    send({ type: 'input_audio_buffer.append', audio: sound.subarray(at, at + 9_600).toString('base64') });
};
socket.onmessage = ({ data }) => {
  const event = JSON.parse(data);
  if (event.type === 'error') throw new Error(event.error.message);
  if (event.type !== 'conversation.item.input_audio_transcription.completed') return;
  console.log(event.transcript);
  socket.close();
};`;
