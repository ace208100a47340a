import type { UpstreamConfig } from './config.ts';
import { createElevenLabs } from './elevenlabs.ts';
import {
  cloningUpstreams,
  createCloning,
  type ServedModel,
  type UpstreamAddress,
  type VoiceCatalog,
} from './cloning.ts';
import type { EmbeddedVoiceConfig } from './embedded/speech/config.ts';
import { createEmbeddedConversion } from './embedded/speech/embeddedConversion.ts';
import { createEmbeddedSpeech } from './embedded/speech/embeddedSpeech.ts';
import { createEmbeddedTranscription } from './embedded/transcription/embeddedTranscription.ts';
import { firstThatStarts } from './firstThatStarts.ts';
import { createOpenAiAudio } from './openaiAudio.ts';
import { ProviderError } from './provider.ts';
import type {
  CloningProvider,
  ConversionProvider,
  SpeechInput,
  SpeechProvider,
  TranscriptionProvider,
} from './speech.ts';
import { findPresetVoice } from './voices.ts';

/** What an upstream can do with sound, and how it calls the service's voices. */
interface VoiceUpstream extends Partial<SpeechProvider & TranscriptionProvider & ConversionProvider & CloningProvider> {
  voiceOf(voice: SpeechInput['voice']): SpeechInput['voice'];
  close(): Promise<void>;
}

export type VoiceProviders = ReturnType<typeof createVoiceProviders>;

/**
 * The speaking, hearing and converting of the catalogue's models. Upstreams are opened when they are first called, and tried in the
 * catalogue's order while nothing of an answer has come.
 */
export function createVoiceProviders(
  catalog: VoiceCatalog,
  config: { upstream: UpstreamConfig; embedded: EmbeddedVoiceConfig },
) {
  const opened = new Map<string, VoiceUpstream>();

  function upstreamOf(name: string): VoiceUpstream {
    const known = opened.get(name);
    if (known) return known;
    const upstream = openUpstream(name, catalog.upstreams.get(name)!, config);
    opened.set(name, upstream);
    return upstream;
  }

  const cloning = createCloning(cloningUpstreams(catalog), (name) => upstreamOf(name) as CloningProvider);
  /** Where a model can speak with a voice; all of its upstreams when none can, for the first to say why. */
  const placesOf = ({ upstreams }: ServedModel, voice: SpeechInput['voice']) => {
    const able = upstreams.filter(({ upstream }) => knowsVoice(catalog, upstream, voice));
    return able.length > 0 ? able : upstreams;
  };

  return {
    /** Cloned voices at the upstreams that keep them. */
    cloning,
    speech: (served: ServedModel): SpeechProvider => ({
      speak: (input, signal) =>
        firstThatStarts(
          placesOf(served, input.voice).map(({ upstream, model }) => () => {
            const engine = upstreamOf(upstream);
            if (!engine.speak) throw cannot('speak');
            return engine.speak({ ...input, model, voice: engine.voiceOf(input.voice) }, signal);
          }),
        ),
    }),
    transcription: ({ upstreams }: ServedModel): TranscriptionProvider => ({
      transcribe: (audio, options, signal) =>
        firstThatStarts(
          upstreams.map(({ upstream, model }) => () => {
            const engine = upstreamOf(upstream);
            if (!engine.transcribe) throw cannot('transcribe');
            return engine.transcribe(audio, { ...options, model }, signal);
          }),
        ),
    }),
    conversion: (served: ServedModel): ConversionProvider => ({
      convert: (input, signal) =>
        firstThatStarts(
          placesOf(served, input.voice).map(({ upstream, model }) => () => {
            const engine = upstreamOf(upstream);
            if (!engine.convert) throw cannot('convert speech');
            return engine.convert({ ...input, model, voice: engine.voiceOf(input.voice) }, signal);
          }),
        ),
    }),
    close: async () => {
      await Promise.all([...opened.values()].map((upstream) => upstream.close()));
    },
  };
}

function knowsVoice({ upstreams }: VoiceCatalog, name: string, voice: SpeechInput['voice']): boolean {
  if (typeof voice === 'string') return true;
  return upstreams.get(name)!.protocol === 'embedded' || idAt(name, voice) !== undefined;
}

const idAt = (name: string, voice: SpeechInput['voice']): string | undefined =>
  typeof voice === 'object' && 'upstreamIds' in voice ? voice.upstreamIds[name] : undefined;

const cannot = (what: string) =>
  new ProviderError('unavailable', `The upstream that the catalogue names for this model cannot ${what}.`);

function openUpstream(
  name: string,
  { protocol = 'openai', baseUrl, apiKey, setup }: UpstreamAddress,
  { upstream, embedded }: { upstream: UpstreamConfig; embedded: EmbeddedVoiceConfig },
): VoiceUpstream {
  if (protocol === 'embedded') return openEmbedded(embedded);
  if (!baseUrl) throw new ProviderError('unavailable', setup ?? `The address of the upstream "${name}" is not set.`);
  const options = { baseUrl, apiKey, connectTimeoutMs: 5_000, ...upstream };
  return protocol === 'elevenlabs'
    ? {
        ...createElevenLabs(options),
        voiceOf: (voice) => idAt(name, voice) ?? vendorVoice(voice, (preset) => Object.keys(preset.elevenlabs)[0]),
      }
    : { ...createOpenAiAudio(options), voiceOf: (voice) => vendorVoice(voice, (preset) => preset.openai[0]) };
}

function openEmbedded(config: EmbeddedVoiceConfig): VoiceUpstream {
  const speech = createEmbeddedSpeech({ threads: config.speechThreads, callsMax: config.speechCallsMax });
  const { transcribe } = createEmbeddedTranscription({
    dataDir: config.dataDir,
    processes: config.transcriptionProcesses,
    waitingMax: config.transcriptionQueueMax,
  });
  const { convert } = createEmbeddedConversion();
  return { speak: speech.speak, transcribe, convert, voiceOf: (voice) => voice, close: speech.close };
}

/** The vendor's own name for a preset; a voice that is no preset is the vendor's already, or a measure. */
function vendorVoice(
  voice: SpeechInput['voice'],
  nameOf: (preset: NonNullable<ReturnType<typeof findPresetVoice>>) => string | undefined,
): SpeechInput['voice'] {
  const preset = typeof voice === 'string' ? findPresetVoice(voice) : undefined;
  return (preset && nameOf(preset)) ?? voice;
}
