import type { EmbeddedVoiceConfig } from './config.ts';
import type { VoiceActivity } from './sound/energyActivity.ts';
import { ProviderError } from './provider.ts';
import type { ConversionProvider, SoundParameters, SpeechProvider, TranscriptionProvider } from './speech.ts';
import type { PresetVoice } from './voices.ts';

/**
 * Engines that run on this machine instead of a vendor's upstream. The program that starts passes them in: an installation may lack them,
 * and no vendor needs them.
 */
export interface LocalEngines {
  /** Models, voices and runtimes, with their makers and licences. */
  thirdParties: readonly ThirdParty[];
  /** The engine that does a kind of work now. */
  engineOf(kind: 'transcription' | 'conversion', config: EmbeddedVoiceConfig): string;
  /** Detects speech in one stream of sound. */
  openVoiceActivity(config: EmbeddedVoiceConfig): Promise<VoiceActivity>;
  /** `report` gets the measured speed of voices, as text. */
  openVoices(config: EmbeddedVoiceConfig, report?: (text: string) => void): LocalVoices;
}

/** Work of others that an installation contains or fetches. */
export interface ThirdParty {
  name: string;
  version: string;
  licence: string;
  by: string;
}

/** The voices and recognisers of this machine. */
export interface LocalVoices {
  /** Whether a prompt is supported depends on the recogniser of the moment. */
  parameters(now: { takesPrompt: () => boolean }): SoundParameters;
  /** Opens what serves the calls of an upstream. */
  open(): LocalVoice & TranscriptionProvider & { takesPrompt(): boolean };
  /** Opens the basic voice, which is the same on each machine. */
  openBasic(): LocalVoice;
  /** The engine that speaks a preset of a model now, and whether it has been fetched. */
  engineOf(model: string | undefined, preset: PresetVoice): { engine: string; isReady: boolean };
  /** Loads the neural voice in the background, so that the first call finds it. */
  preload(): void;
  close(): Promise<void>;
}

export type LocalVoice = SpeechProvider & ConversionProvider & { close(): Promise<void> };

/** For calls that only an engine of this machine serves, in an installation without them. */
export const localMissing = (): ProviderError =>
  new ProviderError('unavailable', 'The embedded voices and recognisers are not part of this installation.');
