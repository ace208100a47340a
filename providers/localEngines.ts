import type { EmbeddedVoiceConfig } from './config.ts';
import type { VoiceActivity } from './sound/energyActivity.ts';
import { ProviderError } from './provider.ts';
import type { ConversionProvider, SoundParameters, SpeechProvider, TranscriptionProvider } from './speech.ts';
import type { PresetVoice } from './voices.ts';

/**
 * Engines that run on this machine instead of a vendor's upstream. The starting program passes them in: an installation may lack them,
 * and no vendor needs them.
 */
export interface LocalEngines {
  /** Models, voices and runtimes, with their makers and licences. */
  thirdParties: readonly ThirdParty[];
  /** The engine that currently does a kind of work. */
  engineOf(kind: 'transcription' | 'conversion', config: EmbeddedVoiceConfig): string;
  /** Detects speech in one stream of sound. */
  openVoiceActivity(config: EmbeddedVoiceConfig): Promise<VoiceActivity>;
  /** `report` gets the measured speed of voices, as text. */
  openVoices(config: EmbeddedVoiceConfig, report?: (text: string) => void): LocalVoices;
}

/** Third-party work that an installation contains or fetches. */
export interface ThirdParty {
  name: string;
  version: string;
  licence: string;
  by: string;
}

/** The voices and recognisers of this machine. */
export interface LocalVoices {
  /** Whether prompts are supported depends on the current recogniser. */
  parameters(now: { takesPrompt: () => boolean }): SoundParameters;
  /** Opens the local implementation of an upstream's calls. */
  open(): LocalVoice & TranscriptionProvider & { takesPrompt(): boolean; prepare(): Promise<void> };
  /** Opens the basic voice, which is identical on every machine. */
  openBasic(): LocalVoice;
  /** The engine that currently speaks a model's preset, and whether it has been fetched. */
  engineOf(model: string | undefined, preset: PresetVoice): { engine: string; isReady: boolean };
  /** Loads the neural voice in the background, ready for the first call. */
  preload(): void;
  close(): Promise<void>;
}

export type LocalVoice = SpeechProvider & ConversionProvider & { close(): Promise<void> };

/** For calls that only a local engine serves, in an installation without engines. */
export const localMissing = (): ProviderError =>
  new ProviderError('unavailable', 'The embedded voices and recognisers are not part of this installation.');
