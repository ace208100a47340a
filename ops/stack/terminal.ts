/** Output for the operator: plain lines, each with the seconds since the start. */
export type Terminal = {
  say: (text: string) => void;
  /** Progress of a long operation: at most one line a second. */
  progress: (text: string) => void;
  /** Lines printed unchanged, without the time. */
  print: (text: string) => void;
};

const PROGRESS_EVERY_MS = 1_000;

/** `write` gets text with its line ends. */
export function createTerminal(write: (text: string) => void): Terminal {
  const startedAt = Date.now();
  let progressAt = 0;
  const say = (text: string): void => write(`${elapsed(startedAt)} ${text}\n`);
  const progress = (text: string): void => {
    if (Date.now() - progressAt < PROGRESS_EVERY_MS) return;
    progressAt = Date.now();
    say(text);
  };
  return { say, progress, print: (text) => write(`${text}\n`) };
}

function elapsed(sinceMs: number): string {
  return `[${((Date.now() - sinceMs) / 1000).toFixed(1).padStart(6)} s]`;
}

/** All addresses, once the API answers. */
export type Installation = {
  apiUrl: string;
  /** The console's address in a browser. */
  consoleUrl: string;
  temporalUiUrl?: string;
  /** The first workspace's key, at the start that created it. */
  key: string | null;
  /** A link that signs the first owner in to the console, once; null after its use. */
  signInUrl: string | null;
  /** A model for the first request, if one can answer. */
  textModel?: string;
  /** Why the embedded model does not answer, if configured. */
  modelComplaint?: string;
  /** Whether Temporal and the worker are up too. Until then runs and reviews are accepted and stay queued. */
  isWorking: boolean;
  /** Whether the console has pages. The first start builds them while the API answers. */
  hasPages: boolean;
};

/** The summary that is printed when the API answers. */
export function summaryOf(
  { apiUrl, consoleUrl, temporalUiUrl, key, signInUrl, textModel, modelComplaint, isWorking, hasPages }: Installation,
  seconds: number,
): string {
  const lines = [
    '',
    hasPages
      ? `Ledgerline is up after ${seconds.toFixed(1)} s. Ctrl-C ends it.`
      : `The API is up after ${seconds.toFixed(1)} s, and the console is still being built. Ctrl-C ends both.`,
    '',
    `  Console      ${consoleUrl}/${hasPages ? '' : '   (in a minute or two: a line below says when)'}`,
    `  API          ${apiUrl}/v1`,
    `  Docs         ${consoleUrl}/docs`,
    ...(temporalUiUrl ? [`  Temporal UI  ${temporalUiUrl}`] : []),
    key ? `  API key      ${key}   (shown this once: keep it)` : `  A new key    ${NEW_KEY_COMMAND}`,
    ...(signInUrl ? [`  Sign in      ${signInUrl}   (once, within a day)`] : []),
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

const NEW_KEY_COMMAND = 'npm run admin -- keys create --name me --scopes llm,voice,batch';

function curlOf(apiUrl: string, model: string, key: string): string {
  const body = { model, messages: [{ role: 'user', content: 'What is the capital of France?' }] };
  const headers = `-H 'authorization: Bearer ${key}' -H 'content-type: application/json'`;
  return `curl ${apiUrl}/v1/chat/completions ${headers} -d '${JSON.stringify(body)}'`;
}
