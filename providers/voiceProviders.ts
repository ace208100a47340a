import type { UpstreamConfig } from './config.ts';
import { createElevenLabs, elevenLabsParameters } from './elevenlabs.ts';
import { cloningUpstreams, createCloning, type VoiceCatalog } from './cloning.ts';
import { observed, watched, withFirstItem } from './fallback.ts';
import { localMissing, type LocalVoices } from './localEngines.ts';
import { firstUnsupported, type UnsupportedParameter } from './supportedParameters.ts';
import { createOpenAiAudio, openAiAudioParameters } from './openaiAudio.ts';
import { createOpenedUpstreams } from './openedUpstreams.ts';
import { ProviderError, type Held, type CallSignal } from './provider.ts';
import { createRouting, demandsOf, type RoutedPlace, type UpstreamRouting } from './routing/routing.ts';
import { UNSPEAKABLE } from './speech.ts';
import type {
  CloningProvider,
  ConversionInput,
  ConversionParameters,
  ConversionProvider,
  SoundParameters,
  SpeechChunk,
  SpeechInput,
  SpeechParameters,
  SpeechProvider,
  TranscriptionOptions,
  TranscriptionParameters,
  TranscriptionProvider,
  Unspeakable,
} from './speech.ts';
import { createTestVoice } from './testMode/testVoice.ts';
import { optionsOf, type ServedModel, type UpstreamAddress, type UpstreamOptions } from './upstreamOptions.ts';
import { elevenLabsIdOf, findPresetVoice, type PresetVoice } from './voices.ts';

type Place = RoutedPlace;

/** The audio tasks of an upstream, and its names for the service's voices. */
interface VoiceUpstream extends Partial<SpeechProvider & TranscriptionProvider & ConversionProvider & CloningProvider> {
  voiceOf(voice: SpeechInput['voice']): SpeechInput['voice'];
  /** Whether its transcriptions currently accept a prompt, if that changes. */
  takesPrompt?(): boolean;
  /** Starts a recogniser for a transcription that will come. */
  prepare?(): Promise<void>;
  close(): Promise<void>;
}

interface Vendor {
  parameters: SoundParameters;
  open(options: UpstreamOptions, upstream: string): VoiceUpstream;
}

/** The vendors' protocols. */
const VENDORS: Record<Exclude<NonNullable<UpstreamAddress['protocol']>, 'embedded'>, Vendor> = {
  openai: {
    parameters: openAiAudioParameters,
    open: (options) => ({
      ...createOpenAiAudio(options),
      voiceOf: (voice) => vendorVoice(voice, (preset) => preset.openai[0]),
    }),
  },
  elevenlabs: {
    parameters: elevenLabsParameters,
    open: (options, upstream) => ({
      ...createElevenLabs(options),
      voiceOf: (voice) =>
        idAt(upstream, voice) ??
        vendorVoice(voice, (preset, named) => elevenLabsIdOf(preset, named) ?? Object.keys(preset.elevenlabs)[0]),
    }),
  },
};

export type VoiceProviders = ReturnType<typeof createVoiceProviders>;

/**
 * Speech, transcription and conversion by the catalogue's models. Upstreams are opened at their first call, and tried in the catalogue's
 * order until an answer begins; demoted upstreams come last.
 */
export function createVoiceProviders(
  catalog: VoiceCatalog,
  { upstream: upstreamConfig, local }: { upstream: UpstreamConfig; local: LocalVoices | undefined },
  { routing = createRouting() }: { routing?: UpstreamRouting } = {},
) {
  const tests = createTestVoice(local);
  const opened = createOpenedUpstreams(catalog, (name, address) =>
    openUpstream(name, address, { upstreamConfig, local }),
  );
  const upstreamOf = (name: string): VoiceUpstream => opened.of(name);

  function cloningAt(name: string): CloningProvider {
    const engine = upstreamOf(name) as CloningProvider;
    const noted = <T>(call: Promise<T>) => observed(routing.healthOf(name), call);
    return {
      addVoice: (order) => noted(engine.addVoice(order)),
      editVoice: (id, order) => noted(engine.editVoice(id, order)),
      removeVoice: (id) => noted(engine.removeVoice(id)),
    };
  }

  const cloning = createCloning(() => cloningUpstreams(catalog), cloningAt);
  /** The upstreams of a model that can use a voice; all of them when none can, so that the first one reports the reason. */
  const placesOf = (served: ServedModel, voice: SpeechInput['voice'] = ''): readonly Place[] => {
    const all = routing.placesOf(served, catalog.upstreams);
    const able = all.filter(({ upstream }) => knowsVoice(catalog, upstream, voice));
    return able.length > 0 ? able : all;
  };
  /** The items of the upstream that begins first. */
  async function* started<T>(
    { held, served, places }: { held: Held; served: ServedModel; places: readonly Place[] },
    attempt: (place: Place, signal: CallSignal) => AsyncIterable<T>,
    signal: CallSignal,
  ): AsyncGenerator<T> {
    const call = {
      places,
      routing: served.routing,
      kind: 'streams' as const,
      demands: demandsOf(held),
      begin: async (place: Place, own: CallSignal) => withFirstItem(watched(place.health, attempt(place, own))),
      discard: ({ items }: { items: AsyncIterableIterator<T> }) => void items.return?.(),
    };
    const { items } = await routing.first(call, signal);
    yield* items;
  }
  /** Undefined if the upstream's engines are missing: its call reports that. */
  const parametersAt = ({ upstream }: Place): SoundParameters | undefined => {
    const { protocol = 'openai' } = catalog.upstreams.get(upstream) ?? {};
    if (protocol !== 'embedded') return VENDORS[protocol].parameters;
    return local?.parameters({ takesPrompt: () => upstreamOf(upstream).takesPrompt!() });
  };
  const judgedBy =
    (verdictOf: (supported: SoundParameters, place: Place) => ReturnType<Verdict>): Verdict =>
    (place) => {
      const supported = parametersAt(place);
      return supported && verdictOf(supported, place);
    };
  const unspoken = (given: SpeechParameters & { text?: string }) =>
    judgedBy(({ speech = {} }) => firstUnsupported<SpeechParameters & { text?: string }>(speech, given));
  const unheard = (given: TranscriptionParameters) =>
    judgedBy(({ transcription }, { model }) => firstUnsupported(transcription?.(model, given) ?? {}, given));
  const unconverted = (given: ConversionParameters) =>
    judgedBy(({ conversion = {} }) => firstUnsupported(conversion, given));

  return {
    /** Cloned voices at the upstreams that store them. */
    cloning,
    /** Loads the embedded voice in the background, so that the first call finds it. */
    preload: () => local?.preload(),
    /** The embedded engine that currently speaks a preset, for a model served by the embedded upstream first. */
    embeddedEngineOf({ upstreams: [first] }: ServedModel, preset: PresetVoice) {
      const isEmbedded = first && catalog.upstreams.get(first.upstream)?.protocol === 'embedded';
      return isEmbedded ? local?.engineOf(first.model, preset) : undefined;
    },
    /** A preset that speaks on this machine, for a preview that nobody pays for. Undefined where only vendors speak. */
    previewOf(preset: PresetVoice): ((text: string, signal: CallSignal) => AsyncIterable<SpeechChunk>) | undefined {
      const [name] = [...catalog.upstreams].find(([, { protocol }]) => protocol === 'embedded') ?? [];
      if (name === undefined || !local) return undefined;
      const engine = upstreamOf(name);
      return engine.speak && ((text, signal) => engine.speak!({ text, voice: engine.voiceOf(preset.id) }, signal));
    },
    /** Each model runs at the upstreams that support all parameters; `unsupported` names those that no upstream supports. */
    speech: (served: ServedModel): Refusing<SpeechInput, 'text'> & Paid<SpeechProvider> => ({
      unsupported: ({ voice, ...given }) => unsupportedAt(placesOf(served, voice), unspoken(given)),
      speak: (held, input, signal) => {
        if (held.test) return tests.speak(held.test, input, signal);
        const { text, voice, format, codec, marks, ...given } = input;
        return started(
          { held, served, places: supporting(placesOf(served, voice), unspoken({ ...given, text })) },
          ({ upstream, model }, own) => {
            const engine = upstreamOf(upstream);
            if (!engine.speak) throw cannot('speak');
            return engine.speak({ ...given, text, format, codec, marks, model, voice: engine.voiceOf(voice) }, own);
          },
          signal,
        );
      },
    }),
    /** Starts the embedded recogniser of a model in the background, so that a transcription that will come finds it. */
    prepareTranscription({ upstreams: [first] }: ServedModel, { test }: Held): void {
      const isEmbedded = first && catalog.upstreams.get(first.upstream)?.protocol === 'embedded';
      if (isEmbedded && local && !test) upstreamOf(first.upstream).prepare!().catch(() => {});
    },
    transcription: (served: ServedModel): Refusing<TranscriptionOptions> & Paid<TranscriptionProvider> => ({
      unsupported: (given) => unsupportedAt(placesOf(served), unheard(given)),
      transcribe: (held, audio, given, signal) => {
        if (held.test) return tests.transcribe(held.test, audio, signal);
        return started(
          { held, served, places: supporting(placesOf(served), unheard(given)) },
          ({ upstream, model }, own) => {
            const engine = upstreamOf(upstream);
            if (!engine.transcribe) throw cannot('transcribe');
            return engine.transcribe(audio, { ...given, model }, own);
          },
          signal,
        );
      },
    }),
    conversion: (served: ServedModel): Refusing<ConversionInput> & Paid<ConversionProvider> => ({
      unsupported: ({ voice, ...given }) => unsupportedAt(placesOf(served, voice), unconverted(given)),
      convert: (held, input, signal) => {
        if (held.test) return tests.convert(held.test, input, signal);
        const { audio, voice, format, ...given } = input;
        return started(
          { held, served, places: supporting(placesOf(served, voice), unconverted(given)) },
          ({ upstream, model }, own) => {
            const engine = upstreamOf(upstream);
            if (!engine.convert) throw cannot('convert speech');
            return engine.convert({ ...given, audio, format, model, voice: engine.voiceOf(voice) }, own);
          },
          signal,
        );
      },
    }),
    close: async () => {
      const all = [...(local ? [local] : []), tests, ...opened.all()];
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

/** A provider's calls, for calls with held money. */
type Paid<Provider> = {
  [Name in keyof Provider]: Provider[Name] extends (...given: infer Given) => infer Answer
    ? (held: Held, ...given: Given) => Answer
    : never;
};

/** The parameter of a request that no upstream of its model supports; undefined when there is none. */
interface Refusing<Input, Optional extends keyof Input = never> {
  unsupported(
    given: Omit<Input, 'text' | 'audio' | 'model' | 'format' | 'codec' | 'marks'> & Partial<Pick<Input, Optional>>,
  ): UnsupportedParameter<Record<string, unknown>> | undefined;
}

type Verdict = (place: Place) => UnsupportedParameter<Record<string, unknown>> | undefined;

function unsupportedAt(places: readonly Place[], verdictOf: Verdict): ReturnType<Verdict> {
  const verdicts = places.map(verdictOf);
  return verdicts.includes(undefined) ? undefined : verdicts[0];
}

/** Parameters are never dropped: if no upstream supports all of them, the call is refused. */
function supporting(places: readonly Place[], verdictOf: Verdict): readonly Place[] {
  const honest = places.filter((place) => verdictOf(place) === undefined);
  if (honest.length > 0 || places.length === 0) return honest;
  const { name, member = name } = verdictOf(places[0]!)!;
  if (name === 'text') throw cannotSpeak(member as Unspeakable);
  throw new ProviderError('refused', `no upstream supports ${name}`, {
    status: 400,
    detail: {
      message: 'This parameter is not supported with this model.',
      param: member,
      code: 'unsupported_parameter',
    },
  });
}

const cannotSpeak = (code: Unspeakable) =>
  new ProviderError('refused', `no upstream speaks this text: ${code}`, {
    status: 400,
    detail: { message: UNSPEAKABLE[code], param: 'text', code },
  });

function knowsVoice({ upstreams }: VoiceCatalog, name: string, voice: SpeechInput['voice']): boolean {
  if (typeof voice === 'string') return true;
  return upstreams.get(name)?.protocol === 'embedded' || idAt(name, voice) !== undefined;
}

const idAt = (name: string, voice: SpeechInput['voice']): string | undefined =>
  typeof voice === 'object' && 'upstreamIds' in voice ? voice.upstreamIds[name] : undefined;

const cannot = (what: string) =>
  new ProviderError('unavailable', `The upstream that the catalogue names for this model cannot ${what}.`);

function openUpstream(
  name: string,
  address: UpstreamAddress,
  { upstreamConfig, local }: { upstreamConfig: UpstreamConfig; local: LocalVoices | undefined },
): VoiceUpstream {
  const { protocol = 'openai', baseUrl, setup } = address;
  if (protocol === 'embedded') {
    if (!local) throw localMissing();
    return { ...local.open(), voiceOf: (voice) => voice };
  }
  if (!baseUrl) throw new ProviderError('unavailable', setup ?? `The address of the upstream "${name}" is not set.`);
  return VENDORS[protocol].open(optionsOf(address, upstreamConfig), name);
}

/** The vendor's own name for a preset, which may depend on the requested name; other voices are already the vendor's, or measured. */
function vendorVoice(
  voice: SpeechInput['voice'],
  nameOf: (preset: NonNullable<ReturnType<typeof findPresetVoice>>, named: string) => string | undefined,
): SpeechInput['voice'] {
  if (typeof voice !== 'string') return voice;
  const preset = findPresetVoice(voice);
  return (preset && nameOf(preset, voice)) ?? voice;
}
