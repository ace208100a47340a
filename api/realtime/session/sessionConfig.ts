import { z } from 'zod';
import { functionName } from '../../../calls/text/parameters/parameters.ts';
import { explainIssue } from '../../../calls/text/parameters/explainIssue.ts';
import { firstIssue } from '../../../calls/text/parameters/firstIssue.ts';
import { InvalidRequest } from '../../../base/errors/invalidRequest.ts';
import { PCM_FORMAT, refuseOtherAudio, withoutNullDetection } from './sentAudio.ts';

const TEXT_MAX = 64 * 1024;
const TOOLS_MAX = 128;
/** The most output of one response, in tokens; `inf` leaves the limit to the model. */
const OUTPUT_TOKENS_MAX = 4096;

// Null means "not sent". Any value is refused: to leave it out silently would change what the caller gets.
const refused = z.null().optional();

const Format = z.strictObject({ type: z.literal('audio/pcm'), rate: z.literal(24_000).optional() });

const TurnDetection = z.strictObject({
  type: z.literal('server_vad'),
  threshold: z.number().min(0).max(1).optional().describe('Default: 0.5. A higher one needs louder speech.'),
  prefix_padding_ms: z.int().min(0).max(5_000).optional().describe('Sound kept from before the speech. Default: 300.'),
  silence_duration_ms: z.int().min(100).max(10_000).optional().describe('Silence that ends a turn. Default: 500.'),
  idle_timeout_ms: z
    .int()
    .min(5_000)
    .max(30_000)
    .nullish()
    .describe('After so much silence following a response, the model speaks first.'),
  create_response: z.boolean().optional().describe('Whether the end of a turn starts a response. Default: true.'),
  interrupt_response: z.boolean().optional().describe('Whether speech stops the running response. Default: true.'),
});

const Transcription = z.strictObject({
  model: z.string().min(1).max(256).optional(),
  language: z.string().min(2).max(16).nullish(),
  prompt: z.string().max(TEXT_MAX).nullish(),
  delay: refused,
  keywords: refused,
  languages: refused,
});

const AudioInput = z.strictObject({
  format: Format.nullish(),
  transcription: Transcription.nullish().describe(
    'Whether transcripts of the input are sent as events. Null: they are not.',
  ),
  turn_detection: TurnDetection.nullish().describe(
    'Null, also as its type: the client commits the buffer and creates responses itself.',
  ),
  noise_reduction: refused,
});

export const AudioOutput = z.strictObject({
  format: Format.nullish(),
  voice: z
    .union([z.string().min(1).max(256), z.strictObject({ id: z.string().min(1).max(256) })])
    .nullish()
    .describe('A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice.'),
  speed: z.number().min(0.25).max(1.5).nullish(),
});

const FunctionTool = z.strictObject({
  type: z.literal('function').optional(),
  name: functionName,
  description: z.string().max(TEXT_MAX).nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), name: z.string().min(1).max(64) }),
]);

/** What a session and a single response may both say. */
export const MANNER = {
  instructions: z.string().max(TEXT_MAX).nullish(),
  max_output_tokens: z.union([z.literal('inf'), z.int().min(1).max(OUTPUT_TOKENS_MAX)]).nullish(),
  output_modalities: z
    .array(z.enum(['audio', 'text']))
    .min(1)
    .max(1)
    .nullish()
    .describe('`["audio"]`, which comes with its transcript, or `["text"]`.'),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z.strictObject({ effort: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']).nullish() }).nullish(),
  tools: z.array(FunctionTool).max(TOOLS_MAX).nullish(),
  tool_choice: ToolChoice.nullish(),
  prompt: refused,
} as const;

const INCLUDE = z.array(z.enum(['item.input_audio_transcription.logprobs'])).nullish();

const RealtimeSessionInput = z.strictObject({
  type: z.literal('realtime'),
  model: z.string().min(1).max(256).nullish(),
  ...MANNER,
  audio: z.strictObject({ input: AudioInput.nullish(), output: AudioOutput.nullish() }).nullish(),
  include: INCLUDE,
  // Traces and truncation by the vendor's rules change no answer: the oldest items leave when the context is full.
  tracing: z.unknown().optional(),
  temperature: z.number().min(0).max(2).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
});

const TranscriptionSessionInput = z.strictObject({
  type: z.literal('transcription'),
  audio: z.strictObject({ input: AudioInput.nullish() }).nullish(),
  include: INCLUDE,
});

/**
 * A session as clients describe it: in `session.update`, and bound to a client secret. A part that is left out, or null, stays as it is;
 * null switches `turn_detection` and `transcription` off.
 */
export const SessionInput = z.discriminatedUnion('type', [RealtimeSessionInput, TranscriptionSessionInput]);

export type SessionInput = z.infer<typeof SessionInput>;

const Wrapped = z.strictObject({ session: SessionInput });

/** Checks a session as it was sent; throws `InvalidRequest`, whose `param` begins with `session`. */
export function parseSession(sent: unknown): SessionInput {
  refuseOtherAudio(sent);
  const session = withoutNullDetection(sent);
  const found = firstIssue(Wrapped, { session });
  if (found !== null) throw explainIssue(found);
  return session as SessionInput;
}

type Detection = Required<z.infer<typeof TurnDetection>>;

/** A session's sound from the client. */
export interface SessionAudioInput {
  format: typeof PCM_FORMAT;
  transcription: { model: string; language: string | null; prompt: string | null } | null;
  noise_reduction: null;
  turn_detection: Detection | null;
}

/** What a session is set to: every member has a value, in the vendor's form. */
export interface RealtimeSession {
  type: 'realtime';
  model: string;
  output_modalities: ('audio' | 'text')[];
  instructions: string;
  tools: z.infer<typeof FunctionTool>[];
  tool_choice: z.infer<typeof ToolChoice>;
  max_output_tokens: number | 'inf';
  parallel_tool_calls: boolean;
  reasoning: { effort?: string | null } | null;
  truncation: 'auto' | 'disabled';
  tracing: unknown;
  /** Set by clients of the earlier protocol alone. */
  temperature?: number;
  prompt: null;
  include: string[] | null;
  audio: {
    input: SessionAudioInput;
    output: { format: typeof PCM_FORMAT; voice: string; speed: number };
  };
}

export interface TranscriptionSession {
  type: 'transcription';
  include: string[] | null;
  audio: { input: SessionAudioInput };
}

export type Session = RealtimeSession | TranscriptionSession;

const SERVER_VAD: Detection = {
  type: 'server_vad',
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 500,
  idle_timeout_ms: null,
  create_response: true,
  interrupt_response: true,
};

/** What transcribes where a session names no model. */
export const TRANSCRIPTION_MODEL = 'whisper-1';

/** The vendor's name of each kind of session. */
export const SESSION_OBJECTS = {
  realtime: 'realtime.session',
  transcription: 'realtime.transcription_session',
} as const;

/** A session before its client has said anything. */
export const newRealtimeSession = (model: string): RealtimeSession => ({
  type: 'realtime',
  model,
  output_modalities: ['audio'],
  instructions: '',
  tools: [],
  tool_choice: 'auto',
  max_output_tokens: 'inf',
  parallel_tool_calls: true,
  reasoning: null,
  truncation: 'auto',
  tracing: null,
  prompt: null,
  include: null,
  audio: {
    input: { format: PCM_FORMAT, transcription: null, noise_reduction: null, turn_detection: SERVER_VAD },
    output: { format: PCM_FORMAT, voice: 'alloy', speed: 1 },
  },
});

/** The same for a session that transcribes. */
export const newTranscriptionSession = (): TranscriptionSession => ({
  type: 'transcription',
  include: null,
  audio: {
    input: {
      format: PCM_FORMAT,
      transcription: { model: TRANSCRIPTION_MODEL, language: null, prompt: null },
      noise_reduction: null,
      turn_detection: SERVER_VAD,
    },
  },
});

/** The session with what a client said changed in it. Throws `InvalidRequest` for another type than the session's. */
export function changedSession<Kind extends Session>(session: Kind, said: SessionInput): Kind {
  if (said.type !== session.type) {
    const message = `This session has the type '${session.type}', which cannot change. Open another socket.`;
    throw new InvalidRequest('invalid_value', 'session.type', message);
  }
  const input = changedInput(session.audio.input, said.audio?.input ?? {});
  if (session.type === 'transcription' || said.type === 'transcription')
    return { ...session, include: said.include ?? session.include, audio: { input } };
  const { type: _type, model: _model, audio, ...others } = said;
  const { voice, speed } = audio?.output ?? {};
  const output = {
    format: PCM_FORMAT,
    voice: (typeof voice === 'object' ? voice?.id : voice) ?? session.audio.output.voice,
    speed: speed ?? session.audio.output.speed,
  };
  return { ...session, ...sentMembers(others), audio: { input, output } };
}

function changedInput(
  before: SessionAudioInput,
  { transcription, turn_detection: detection }: z.infer<typeof AudioInput>,
): SessionAudioInput {
  return {
    ...before,
    ...(transcription !== undefined && {
      transcription: transcription && {
        model: transcription.model ?? TRANSCRIPTION_MODEL,
        language: transcription.language ?? null,
        prompt: transcription.prompt ?? null,
      },
    }),
    ...(detection !== undefined && {
      turn_detection: detection && { ...SERVER_VAD, ...(sentMembers(detection) as typeof detection) },
    }),
  };
}

function sentMembers<Members extends object>(members: Members): Partial<Members> {
  const sent = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(sent) as Partial<Members>;
}
