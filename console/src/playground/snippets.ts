import type { Snippet } from '../parts/CodeSnippets.tsx';

export const json = (value: unknown): string => JSON.stringify(value, null, 2);
const inShell = (text: string): string => text.replaceAll("'", String.raw`'\''`);

/** JSON as a Python literal. */
export function pythonOf(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((item) => pythonOf(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonOf(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return lines.length === 0 ? `${open}${close}` : `${open}\n${inner}${lines.join(`,\n${inner}`)},\n${indent}${close}`;
}

const pythonArguments = (body: object): string =>
  Object.entries(body)
    .map(([name, value]) => `    ${name}=${pythonOf(value, '    ')},`)
    .join('\n');

const pythonClient = (apiUrl: string) => `import os
from openai import OpenAI

client = OpenAI(base_url="${apiUrl}/v1", api_key=os.environ["API_KEY"])`;
const nodeClient = (apiUrl: string) => `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${apiUrl}/v1', apiKey: process.env.API_KEY });`;

/** The current chat as code for the clients. The key is in the environment. */
export function chatSnippets(apiUrl: string, body: object): Snippet[] {
  return [
    {
      label: 'Python',
      code: `${pythonClient(apiUrl)}
stream = client.chat.completions.create(
${pythonArguments(body)}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
    },
    {
      label: 'Node',
      code: `${nodeClient(apiUrl)}
const stream = await client.chat.completions.create(${json(body)});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');`,
    },
    {
      label: 'curl',
      code: `curl -sSN ${apiUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '${inShell(json(body))}'`,
    },
  ];
}

export function speechSnippets(apiUrl: string, body: { model: string; voice: string; input: string }): Snippet[] {
  return [
    {
      label: 'Python',
      code: `${pythonClient(apiUrl)}
with client.audio.speech.with_streaming_response.create(
${pythonArguments(body)}
) as answer:
    answer.stream_to_file("speech.mp3")`,
    },
    {
      label: 'Node',
      code: `import { writeFile } from 'node:fs/promises';
${nodeClient(apiUrl)}
const answer = await client.audio.speech.create(${json(body)});
await writeFile('speech.mp3', Buffer.from(await answer.arrayBuffer()));`,
    },
    {
      label: 'curl',
      code: `curl -sS ${apiUrl}/v1/audio/speech \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '${inShell(json(body))}' -o speech.mp3`,
    },
  ];
}

export function transcriptionSnippets(apiUrl: string, model: string, file: string): Snippet[] {
  return [
    {
      label: 'Python',
      code: `${pythonClient(apiUrl)}
with open(${JSON.stringify(file)}, "rb") as sound:
    answer = client.audio.transcriptions.create(model="${model}", file=sound)
print(answer.text)`,
    },
    {
      label: 'Node',
      code: `import { createReadStream } from 'node:fs';
${nodeClient(apiUrl)}
const answer = await client.audio.transcriptions.create({
  model: '${model}',
  file: createReadStream(${JSON.stringify(file)}),
});
console.log(answer.text);`,
    },
    {
      label: 'curl',
      code: `curl -sS ${apiUrl}/v1/audio/transcriptions \\
  -H "Authorization: Bearer $API_KEY" -F model=${model} -F 'file=@${inShell(file)}'`,
    },
  ];
}

/** A run of an agent, as code, up to the most that a run of it may cost: a lower limit would stop it early. */
export function runSnippets(apiUrl: string, { id, maximumUsd }: { id: string; maximumUsd: number }): Snippet[] {
  const body = { agent: id, input: 'What it should do.', max_cost_usd: maximumUsd };
  return [
    {
      label: 'Python',
      code: `# pip install httpx
import os
import httpx

run = httpx.post(
    "${apiUrl}/v1/runs",
    headers={"Authorization": f"Bearer {os.environ['API_KEY']}", "Prefer": "wait=60"},
    json=${pythonOf(body, '    ')},
    timeout=90,
).json()
print(run["status"], run["output"])`,
    },
    {
      label: 'Node',
      code: `const answer = await fetch('${apiUrl}/v1/runs', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.API_KEY}\`, 'content-type': 'application/json', prefer: 'wait=60' },
  body: JSON.stringify(${json(body)}),
});
const run = await answer.json();
console.log(run.status, run.output);`,
    },
    {
      label: 'curl',
      code: `curl -sS ${apiUrl}/v1/runs \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -H "Prefer: wait=60" \\
  -d '${inShell(json(body))}'`,
    },
  ];
}
