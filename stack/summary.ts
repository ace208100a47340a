import type { Installation } from './stack.ts';

/** What the operator reads when everything is up. */
export function summaryOf({ apiUrl, temporalUiUrl, key, modelComplaint }: Installation, seconds: number): string {
  const lines = [
    '',
    `Ledgerline is up after ${seconds.toFixed(1)} s. Ctrl-C ends it.`,
    '',
    `  API          ${apiUrl}/v1`,
    `  Docs         ${apiUrl}/docs`,
    ...(temporalUiUrl ? [`  Temporal UI  ${temporalUiUrl}`] : []),
    `  API key      ${key ? `${key}   (shown this once: keep it)` : newKeyCommand}`,
    '',
    ...(modelComplaint ? [`  ${modelComplaint}`, ''] : []),
    '  A first request:',
    '',
    curlOf(apiUrl, key ?? 'YOUR_KEY'),
    '',
  ];
  return lines.join('\n');
}

const newKeyCommand = 'npm run admin -- keys create --name me --scopes llm,voice,batch';

function curlOf(apiUrl: string, key: string): string {
  const body = { model: firstModel, messages: [{ role: 'user', content: 'What is the capital of France?' }] };
  const headers = `-H 'authorization: Bearer ${key}' -H 'content-type: application/json'`;
  return `curl -s ${apiUrl}/v1/chat/completions ${headers} -d '${JSON.stringify(body)}'`;
}

/** The text model that every installation lists. */
const firstModel = 'smollm2-135m-instruct';
