import type { VoiceSettings } from '../../providers/speech.ts';
import type { CallerVoice } from './callerVoice.ts';

type Said = { [Name in keyof VoiceSettings]?: VoiceSettings[Name] | null } & { speed?: number | null };

/** What a request says of the speaking, or else what its voice does; a member that is null says nothing. */
export function mannerOf(
  voice: CallerVoice,
  sent?: Said,
): { settings: VoiceSettings | undefined; speed: number | undefined } {
  const said = Object.entries({ ...voice.settings, ...sent }).filter(([, value]) => value !== null);
  const { speed, ...settings } = Object.fromEntries(said) as VoiceSettings & { speed?: number };
  return { settings: Object.keys(settings).length > 0 ? settings : undefined, speed };
}
