import type { Installation } from './stack.ts';

/** What the operator reads when the API answers. */
export function summaryOf(
  { apiUrl, temporalUiUrl, key, textModel, modelComplaint, isWorking }: Installation,
  seconds: number,
): string {
  const lines = [
    '',
    `Ledgerline is up after ${seconds.toFixed(1)} s. Ctrl-C ends it.`,
    '',
    `  API          ${apiUrl}/v1`,
    `  Docs         ${apiUrl}/docs`,
    ...(temporalUiUrl ? [`  Temporal UI  ${temporalUiUrl}`] : []),
    key ? `  API key      ${key}   (shown this once: keep it)` : `  A new key    ${newKeyCommand}`,
    '',
    ...(modelComplaint ? [`  ${modelComplaint}`, ''] : []),
    ...(isWorking ? [] : ['  Runs and reviews are accepted and stay queued until Temporal and the worker are up.', '']),
    ...(textModel
      ? ['  A first request:', '', curlOf(apiUrl, textModel, key ?? 'YOUR_KEY')]
      : ['  No text model answers: EMBEDDED_MODEL is off, and MODEL_CATALOG_FILE names no other upstream for one.']),
    '',
  ];
  return lines.join('\n');
}

const newKeyCommand = 'npm run admin -- keys create --name me --scopes llm,voice,batch';

function curlOf(apiUrl: string, model: string, key: string): string {
  const body = { model, messages: [{ role: 'user', content: 'What is the capital of France?' }] };
  const headers = `-H 'authorization: Bearer ${key}' -H 'content-type: application/json'`;
  return `curl ${apiUrl}/v1/chat/completions ${headers} -d '${JSON.stringify(body)}'`;
}
