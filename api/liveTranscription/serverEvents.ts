import type { ErrorBody } from '../../base/errors/apiError.ts';
import type { Transcript } from '../../providers/speech.ts';
import { presentHeard } from '../voice/presentHeard.ts';
import type { LiveTranscriptionQuery } from './query.ts';

/** The first event: what the session is set to. */
export function sessionStarted(sessionId: string, query: LiveTranscriptionQuery, sampleRate: number): object {
  return {
    message_type: 'session_started',
    session_id: sessionId,
    config: { ...query, sample_rate: sampleRate },
  };
}

/** A turn that is written down: as it was said, and again with its language and the times of its words, where the session asks for these. */
export function committed(transcript: Transcript, startMs: number, query: LiveTranscriptionQuery): object[] {
  const { text } = transcript;
  const hasTimes = query.include_timestamps;
  const plain = { message_type: 'committed_transcript', text };
  if (!hasTimes && !query.include_language_detection) return [plain];
  const { language_code, words } = presentHeard(transcript, 0, 'word');
  const inSession = (seconds: number) => Math.round(seconds * 1_000 + startMs) / 1_000;
  const told = words.map((word) => ({ ...word, start: inSession(word.start), end: inSession(word.end) }));
  const message_type = 'committed_transcript_with_timestamps';
  return [plain, { message_type, text, language_code, words: hasTimes ? told : null }];
}

const KINDS: Record<string, string> = {
  invalid_api_key: 'auth_error',
  insufficient_balance: 'quota_exceeded',
  key_spend_limit_reached: 'quota_exceeded',
  project_spend_limit_reached: 'quota_exceeded',
  session_expired: 'session_time_limit_exceeded',
};

/** An error, by the vendor's names. */
export const errorEventOf = ({ type, code, message, param }: ErrorBody): object => ({
  message_type: KINDS[code] ?? (type === 'api_error' ? 'transcriber_error' : 'input_error'),
  error: message,
  code,
  param,
});
