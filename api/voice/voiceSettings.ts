import type { z } from 'zod';
import type { VoiceSettings } from '../../providers/speech.ts';
import type { CallerVoice } from '../sound/callerVoice.ts';
import type { VoiceSettingsBody } from './schema.ts';

type Sent = z.output<typeof VoiceSettingsBody>;

/** How a voice speaks when nobody has said how, in the vendor's words. */
export const DEFAULT_SETTINGS = { stability: 0.5, similarity_boost: 0.75, style: 0, use_speaker_boost: true, speed: 1 };

/** What a request says of the speaking, or else what its voice does; a member that is null says nothing. */
export function mannerOf(
  voice: CallerVoice,
  sent: Sent | undefined,
): { settings: VoiceSettings | undefined; speed: number | undefined } {
  const said = Object.entries({ ...voice.settings, ...sent }).filter(([, value]) => value !== null);
  const { speed, ...settings } = Object.fromEntries(said) as VoiceSettings & { speed?: number };
  return { settings: Object.keys(settings).length > 0 ? settings : undefined, speed };
}
