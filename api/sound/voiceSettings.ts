import type { VoiceSettings } from '../../providers/speech.ts';
import type { CallerVoice } from './callerVoice.ts';

type SentSettings = { [Name in keyof VoiceSettings]?: VoiceSettings[Name] | null } & { speed?: number | null };

/** What a request says of the speaking, or else what its voice does; a member that is null says nothing. */
export function voiceSettingsOf(
  voice: CallerVoice,
  sent?: SentSettings,
): { settings: VoiceSettings | undefined; speed: number | undefined } {
  const settled = Object.entries({ ...voice.settings, ...sent }).filter(([, value]) => value !== null);
  const { speed, ...settings } = Object.fromEntries(settled) as VoiceSettings & { speed?: number };
  return { settings: Object.keys(settings).length > 0 ? settings : undefined, speed };
}
