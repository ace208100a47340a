import { readFileSync } from 'node:fs';

/** A voice of the service, and its source in the embedded engines: a shifted Flite voice, or a Kokoro voice. */
export interface PresetVoice {
  id: string;
  name: string;
  gender: 'female' | 'male' | 'neutral';
  accent: string;
  /** Age and use in ElevenLabs' labels. */
  age: 'young' | 'middle_aged' | 'old';
  useCase: string;
  description: string;
  /** The vendors' ids and names for this voice. */
  openai: string[];
  elevenlabs: Record<string, string>;
  embedded: EmbeddedVoice & { kokoro: string };
}

export interface EmbeddedVoice {
  flite: 'kal16' | 'awb' | 'rms' | 'slt';
  /** Its pitch relative to the synthesiser's own. */
  pitch: number;
  /** Vocal tract scale: above 1 it sounds smaller. Pitch changes with it. */
  formants: number;
  /** Its speed relative to the synthesiser's own. */
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

/** ElevenLabs' own id of a preset named by that id or by the vendor's name. */
export function elevenLabsIdOf({ elevenlabs }: PresetVoice, idOrName: string): string | undefined {
  const named = idOrName.toLowerCase();
  return Object.entries(elevenlabs).find(
    ([id, name]) => id.toLowerCase() === named || name.toLowerCase() === named,
  )?.[0];
}

/** The name a caller knows a preset by: the vendor's, if the caller used the vendor's id or name. */
export function presetNameOf(preset: PresetVoice, idOrName: string): string {
  const vendorId = elevenLabsIdOf(preset, idOrName);
  return vendorId === undefined ? preset.name : preset.elevenlabs[vendorId]!;
}

/** The preset for a vendor's voice name, premade voice id, or the preset's own name. Case-insensitive. */
export function findPresetVoice(idOrName: string): PresetVoice | undefined {
  return byId.get(idOrName) ?? byAlias.get(idOrName.toLowerCase());
}
