import { DEMONSTRATION_TOOL } from './demonstrationTool.ts';

/** The settings of a conversation. */
export interface VoiceOrder {
  mode: 'conversation' | 'transcription';
  model: string;
  voice: string;
  instructions: string;
  hasTool: boolean;
  spendLimitUsd: number;
}

export const STANDARD: VoiceOrder = {
  mode: 'conversation',
  model: '',
  voice: 'alloy',
  instructions: 'You are a friendly assistant. Answer in one or two short sentences.',
  hasTool: true,
  spendLimitUsd: 0.5,
};

const INPUT = { transcription: {}, turn_detection: { type: 'server_vad' } };
// The page opens its socket at once.
const SECRET_SECONDS = 60;
const SESSION_SECONDS_MAX = 1_800;

/** The session in the form of `session.update`. */
export function sessionOf({ mode, voice, instructions, hasTool }: VoiceOrder): object {
  if (mode === 'transcription') return { type: 'transcription', audio: { input: INPUT } };
  return {
    type: 'realtime',
    instructions,
    audio: { input: INPUT, output: { voice } },
    tools: hasTool ? [DEMONSTRATION_TOOL] : [],
  };
}

/** A `session.update` that changes nothing: the service answers it. */
export const unchanged = ({ mode }: VoiceOrder): object => ({
  type: mode === 'transcription' ? 'transcription' : 'realtime',
});

/** The order of a client secret that opens one conversation. It does not bind settings that may change during it. */
export function secretBody({ mode, model, spendLimitUsd }: VoiceOrder): object {
  return {
    session: mode === 'transcription' ? { type: 'transcription' } : { type: 'realtime', model },
    expires_after: { anchor: 'created_at', seconds: SECRET_SECONDS },
    max_session_seconds: SESSION_SECONDS_MAX,
    max_sessions: 1,
    spend_limit_usd: spendLimitUsd,
  };
}
