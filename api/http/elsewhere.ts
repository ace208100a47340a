const CONVERSATIONS =
  'Send the conversation as `input` of POST /v1/responses, or keep it in a session of POST /v1/runs.';
const MODELS = 'GET /v1/models lists what is.';
const UNSTORED =
  'Chat completions are not stored. Requests are at GET /platform/v1/requests; POST /v1/responses stores its answers.';
const BALANCE = 'The balance is at GET /platform/v1/billing/balance.';
const CLONING = 'Voices are cloned at POST /voiceapi/v1/voices/add.';
const WEBRTC =
  'Calls over WebRTC and SIP are not served. POST /v1/realtime/client_secrets makes a secret for the WebSocket.';
const MEMBERS = 'The members of a workspace are in the console.';
const USAGE = 'Usage is at GET /platform/v1/usage and, of runs, GET /v1/usage.';
const VOICES = 'Voices are not shared between workspaces. GET /voiceapi/v2/voices lists yours.';

/**
 * Resources of OpenAI's and ElevenLabs' APIs that do not exist here, and what does their work, by the start of their paths after the version;
 * `*` is any id. Some of their paths end like other routes of ours.
 */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  organization:
    'Usage is at GET /platform/v1/usage and, of runs, GET /v1/usage; keys at GET /platform/v1/keys; the audit at GET /platform/v1/audit_log.',
  'agents/*': 'Agents are at GET /v1/agents/{namespace}/{slug}, and POST /v1/runs runs one.',
  skills: 'Skills are not served. Agents have instructions and tools of their own: they are at GET /v1/agents.',
  vaults: 'Vaults are not served. Agents are at GET /v1/agents.',
  chatkit: `ChatKit is not served. ${CONVERSATIONS}`,
  assistants: 'Assistants are not served. Agents are at GET /v1/agents, and POST /v1/runs runs one.',
  threads: `Threads are not served. ${CONVERSATIONS}`,
  conversations: `Conversations are not served. ${CONVERSATIONS}`,
  containers: 'Containers are not served. Files of sessions are at GET /v1/sessions/{session_id}/files.',
  evals: 'Evals are not served. Agents have theirs at POST /v1/publisher/agents/{agent_id}/evaluation-runs.',
  vector_stores: 'Vector stores are not served. Files are at GET /v1/files.',
  'chat/completions/chatcmpl-*': UNSTORED,
  'responses/compact':
    'Conversations are not compacted here. Send the items that matter as `input` of POST /v1/responses.',
  'responses/*/cancel':
    'Responses do not run in the background. To cancel one, close its connection; work that goes on without it is POST /v1/runs.',
  webhook_endpoints: 'They are at GET /platform/v1/webhook_endpoints.',
  'realtime/calls': WEBRTC,
  'live/sessions': WEBRTC,
  'realtime/translations':
    'Speech is not translated while it is spoken. POST /v1/audio/translations translates a recording into English.',
  'realtime/transcription_sessions':
    'Set `session.type` to `transcription` in POST /v1/realtime/client_secrets, or open the WebSocket with `?intent=transcription`.',
  'audio/voices': CLONING,
  'audio/voice_consents': CLONING,
  decisions:
    'Decisions are not served. POST /v1/chat/completions answers in the form of a `json_schema` in its `response_format`.',
  engines: 'Engines are not served. POST /v1/completions and POST /v1/embeddings take the id of a model as `model`.',
  messages:
    'Messages of Anthropic’s protocol are not served. POST /v1/chat/completions and POST /v1/responses speak OpenAI’s.',
  credits: BALANCE,
  'dashboard/billing': `${BALANCE} ${USAGE}`,
  images: `Images are not served; ${MODELS}`,
  videos: `Videos are not served; ${MODELS}`,
  moderations: `Moderations are not served; ${MODELS}`,
  fine_tuning: `Fine-tuning is not served; ${MODELS}`,
  convai: 'Agents of ElevenLabs are not served. Agents are at GET /v1/agents, and POST /v1/runs runs one.',
  'sound-generation': `Sound effects are not served; ${MODELS}`,
  music: `Music is not served; ${MODELS}`,
  dubbing:
    'Dubbing is not served. POST /voiceapi/v1/speech-to-text and POST /voiceapi/v1/text-to-speech/{voice_id} are its two halves.',
  'pronunciation-dictionaries':
    'Pronunciation dictionaries are not served. Write a word in the text as it is spoken, and keep such replacements in your program.',
  'audio-isolation':
    'Sounds are not isolated by themselves: `remove_background_noise` of POST /voiceapi/v1/speech-to-speech/{voice_id} does it there.',
  'text-to-dialogue':
    'Dialogues are not served. Send each line to POST /voiceapi/v1/text-to-speech/{voice_id} with its voice.',
  'text-to-voice': `Voices are not designed here. ${CLONING}`,
  'voices/add': VOICES,
  'voices/collections': 'Voices have no collections here. GET /voiceapi/v2/voices lists and searches them.',
  'voices/pvc': `Professional voices are not served. ${CLONING}`,
  'shared-voices': VOICES,
  'similar-voices': VOICES,
  'speech-to-text/transcripts': 'Transcripts are not kept. POST /voiceapi/v1/speech-to-text answers with them.',
  'speech-engine':
    'Speech engines are not served. Conversations are over the WebSocket of POST /v1/realtime/client_secrets.',
  flows: `Flows are not served; ${MODELS}`,
  'audio-native':
    'Players for web pages are not served. POST /voiceapi/v1/text-to-speech/{voice_id} makes their sound.',
  productions: `Productions are not served; ${MODELS}`,
  studio: 'Studio is not served. POST /voiceapi/v1/text-to-speech/{voice_id} speaks each part of a text.',
  'forced-alignment':
    'POST /voiceapi/v1/speech-to-text has the times of words, POST /voiceapi/v1/text-to-speech/{voice_id}/with-timestamps those of speech.',
  'single-use-token':
    'Single-use tokens are not served: the sockets of speech and transcription take a key, so open them from a server of yours.',
  'workspace/webhooks': 'Webhook endpoints are at GET /platform/v1/webhook_endpoints.',
  'workspace/members': MEMBERS,
  'workspace/groups': MEMBERS,
  'workspace/invites': MEMBERS,
  'workspace/analytics': USAGE,
  'service-accounts': 'Keys are at GET /platform/v1/keys, and POST /platform/v1/keys/derive makes narrower ones.',
  usage: USAGE,
};

/** Routes of ours whose lists OpenAI alone has, by their path after the version, and what has them here. */
export const UNLISTED: Readonly<Record<string, string>> = {
  'chat/completions': UNSTORED,
  responses: 'Responses are not listed. Requests are at GET /platform/v1/requests.',
};

/** What exists here instead of the list at a path, which only OpenAI has; null for other paths. */
export const unlisted = (path: string): string | null =>
  UNLISTED[path.replace(/^(?:\/textapi)?\/v1\/|\/$/g, '')] ?? null;

const PATTERNS = Object.entries(ELSEWHERE).map(([start, text]) => ({
  pattern: new RegExp(`^(?:/textapi|/voiceapi)?(?:/v1)?/${start.replaceAll('*', '[^/]+')}(?:/|$)`),
  text,
}));

/** What exists here instead of the resource that a path names; null for other paths. */
export const elsewhere = (path: string): string | null =>
  PATTERNS.find(({ pattern }) => pattern.test(path))?.text ?? null;
