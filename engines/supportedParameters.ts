import { isEnglish, membersOnly, noOthers } from '../providers/supportedParameters.ts';
import type { SoundParameters } from '../providers/speech.ts';
import { unspeakableBecause } from './pronunciation/speakable.ts';

// Accepted on every voice route. These voices are deterministic, have one style, and resemble only themselves.
const SETTINGS = membersOnly(['stability', 'similarity_boost', 'style', 'use_speaker_boost']);

/**
 * The parameters that the embedded engines support. The same input always gives the same output, as a seed requests and a temperature of
 * 0 implies. They support English only, always spell out numbers, and a prompt if the recogniser accepts one. Frameworks of voice agents
 * send the text before and after, and ask for audio events, in every request: both are taken, each text is spoken by itself, and no event is
 * ever heard.
 */
export const embeddedParameters = ({ takesPrompt }: { takesPrompt: () => boolean }): SoundParameters => ({
  speech: {
    text: (asked) => unspeakableBecause(asked) ?? true,
    language: isEnglish,
    speed: true,
    seed: true,
    settings: SETTINGS,
    previousText: true,
    nextText: true,
    textNormalization: (asked) => asked !== 'off',
    latency: (level) => level < 4,
    others: noOthers,
  },
  transcription: () => ({
    language: isEnglish,
    prompt: takesPrompt,
    temperature: (asked) => asked === 0,
    seed: true,
    translate: true,
    audioEvents: true,
    times: true,
    logprobs: true,
    chunking: (asked) => asked === 'auto',
    isLive: true,
    others: noOthers,
  }),
  conversion: { seed: true, settings: SETTINGS, speed: (asked) => asked === 1, latency: true, others: noOthers },
});
