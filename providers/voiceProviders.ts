import type { UpstreamConfig } from './config.ts';
import { createElevenLabs } from './elevenlabs.ts';
import type { EmbeddedVoiceConfig } from './embedded/speech/config.ts';
import { createEmbeddedConversion } from './embedded/speech/embeddedConversion.ts';
import { createEmbeddedSpeech } from './embedded/speech/embeddedSpeech.ts';
import { createEmbeddedTranscription } from './embedded/transcription/embeddedTranscription.ts';
import { firstThatStarts } from './firstThatStarts.ts';
import { createOpenAiAudio } from './openaiAudio.ts';
import { ProviderError } from './provider.ts';
import type { ConversionProvider, SpeechInput, SpeechProvider, TranscriptionProvider } from './speech.ts';
import { findPresetVoice } from './voices.ts';

/** An address that models run at, or `embedded` for those of this process. */
interface UpstreamAddress {
  protocol?: 'openai' | 'elevenlabs' | 'embedded';
  baseUrl: string;
  apiKey?: string;
  setup?: string;
}

/** A model by the service's id, and where it runs, in order of preference. */
interface ServedModel {
  id: string;
  upstreams: { upstream: string; model: string }[];
}

/** What an upstream can do with sound, and how it calls the service's voices. */
interface VoiceUpstream extends Partial<SpeechProvider & TranscriptionProvider & ConversionProvider> {
  voiceOf(voice: SpeechInput['voice']): SpeechInput['voice'];
  close(): Promise<void>;
}

export type VoiceProviders = ReturnType<typeof createVoiceProviders>;

/**
 * The speaking, hearing and converting of the catalogue's models. Upstreams are opened when they are first called, and tried in the
 * catalogue's order while nothing of an answer has come.
 */
export function createVoiceProviders(
  catalog: { upstreams: ReadonlyMap<string, UpstreamAddress> },
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

  return {
    speech: ({ upstreams }: ServedModel): SpeechProvider => ({
      speak: (input, signal) =>
        firstThatStarts(
          upstreams.map(({ upstream, model }) => () => {
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
    conversion: ({ upstreams }: ServedModel): ConversionProvider => ({
      convert: (input, signal) =>
        firstThatStarts(
          upstreams.map(({ upstream, model }) => () => {
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
        voiceOf: (voice) => vendorVoice(voice, (preset) => Object.keys(preset.elevenlabs)[0]),
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
