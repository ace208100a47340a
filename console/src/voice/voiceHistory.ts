import { newId } from '../playground/conversation.ts';
import type { Kept } from '../playground/history.ts';
import { shortTitle } from '../playground/soundHistory.ts';
import type { Entry } from './entries.ts';
import type { VoiceState } from './voiceSession.ts';

/** A conversation that ended: its words, not its sound. */
export interface VoiceConversation extends Kept {
  kind: 'voice';
  model: string;
  entries: Entry[];
  /** Of its answers. */
  costUsd: number;
}

export function keptConversation({ entries, answersUsd }: VoiceState, model: string): VoiceConversation {
  const first = entries.find((entry) => entry.kind === 'message' && entry.text.trim() !== '');
  return {
    id: newId(),
    kind: 'voice',
    title: first?.kind === 'message' ? shortTitle(first.text) : 'Without words',
    updatedAt: new Date().toISOString(),
    model: model || 'Transcription',
    entries: entries.map((entry) => (entry.kind === 'message' ? { ...entry, isPending: false } : entry)),
    costUsd: answersUsd,
  };
}
