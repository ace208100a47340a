import { readFileSync } from 'node:fs';

/** A voice of the service, and how the embedded engine makes it out of the synthesiser's own. */
export interface PresetVoice {
  id: string;
  name: string;
  gender: 'female' | 'male' | 'neutral';
  accent: string;
  /** Age and use in ElevenLabs' labels. */
  age: 'young' | 'middle_aged' | 'old';
  useCase: string;
  description: string;
  /** The vendors' ids and names that mean this voice. */
  openai: string[];
  elevenlabs: Record<string, string>;
  embedded: EmbeddedVoice;
}

export interface EmbeddedVoice {
  flite: 'kal16' | 'awb' | 'rms' | 'slt';
  /** Its pitch against the synthesiser's own. */
  pitch: number;
  /** The size of the mouth, so to speak: above 1 it sounds smaller. Pitch moves along. */
  formants: number;
  /** Its speed against the synthesiser's own. */
  rate: number;
}

interface VoiceTable {
  presets: PresetVoice[];
}

const table = JSON.parse(readFileSync(new URL('./voices.json', import.meta.url), 'utf8')) as VoiceTable;

/** The service's preset voices, in the order in which they are listed. */
export const presetVoices: readonly PresetVoice[] = table.presets;

const byId = new Map(presetVoices.map((preset) => [preset.id, preset]));
const byAlias = new Map(
  presetVoices.flatMap((preset) =>
    [
      preset.id,
      preset.name,
      ...preset.openai,
      ...Object.keys(preset.elevenlabs),
      ...Object.values(preset.elevenlabs),
    ].map((alias): [string, PresetVoice] => [alias.toLowerCase(), preset]),
  ),
);

/** ElevenLabs' own id of a preset, when it was named by that id or by the vendor's name of it. */
export function elevenLabsIdOf({ elevenlabs }: PresetVoice, idOrName: string): string | undefined {
  const named = idOrName.toLowerCase();
  return Object.entries(elevenlabs).find(
    ([id, name]) => id.toLowerCase() === named || name.toLowerCase() === named,
  )?.[0];
}

/** The preset that a vendor's voice name or premade voice id means, or that is called so itself. Case makes no difference. */
export function findPresetVoice(idOrName: string): PresetVoice | undefined {
  return byId.get(idOrName) ?? byAlias.get(idOrName.toLowerCase());
}
