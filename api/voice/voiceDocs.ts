import type { z } from 'zod';
import * as headers from '../docs/headers.ts';
import type { NamedSchema, RouteDoc } from '../docs/documentedRoute.ts';
import * as answers from './voiceAnswers.ts';
import { NewVoiceForm, VoiceChangeForm } from './addVoice.ts';
import { ConversionForm } from './speechToSpeech.ts';
import { HistoryQuery } from './history.ts';
import { SoundQuery, SpeechBody, VoiceSettingsBody } from './schema.ts';
import { VoiceSearchQuery } from './searchVoices.ts';
import { HearingForm } from './speechToText.ts';

// Of voices that are made at an upstream too.
const UPSTREAM_ERRORS = [402, 502, 504] as const;

const named = (id: string, schema: z.ZodType): NamedSchema => ({ id, schema });
const DONE = named('VoiceDone', answers.Done);

const speechInput = {
  id: 'VoiceSpeechRequest',
  schema: SpeechBody,
  example: { text: 'The quick brown fox jumped over the lazy dog.', model_id: 'eleven_multilingual_v2' },
};
const spoken = {
  tag: 'Voice',
  query: SoundQuery,
  headers: headers.PARTIAL,
  input: speechInput,
  answerHeaders: headers.KEPT_SOUND,
  isPaid: true,
};

/** Documentation of the voice family. */
export function voiceDocs() {
  return { ...soundDocs(), ...voicesDocs(), ...historyDocs() };
}

function soundDocs() {
  return {
    speak: {
      ...spoken,
      summary: 'Speak a text with a voice',
      description:
        'Sound as it is made, in any `output_format`. Billed by characters. Headers: `request-id`, `history-item-id`, `character-cost`, ' +
        '`x-cost-usd`. A text that the money left does not pay for is refused with 402; with `x-allow-partial: true` its beginning is spoken.',
    },
    speakStream: { ...spoken, summary: 'Speak a text with a voice, as a stream' },
    speakTimed: {
      ...spoken,
      summary: 'Speak a text, with the times of its characters',
      answer: named('TimedSpeech', answers.TimedSpeech),
    },
    speakTimedStream: {
      ...spoken,
      summary: 'Speak a text, with times, a JSON object a line',
      answer: named('TimedSpeech', answers.TimedSpeech),
      isInLines: true,
    },
    transcribe: {
      tag: 'Voice',
      summary: 'Transcribe sound, word by word',
      description: 'Billed by the minutes that are really in it. `diarize` and `num_speakers` are refused.',
      form: { id: 'HearingForm', schema: HearingForm, example: { model_id: 'scribe_v1', file: '@speech.mp3' } },
      headers: headers.PARTIAL,
      answer: named('HeardText', answers.HeardText),
      answerHeaders: headers.TRANSCRIBED,
      isPaid: true,
    },
    convert: {
      tag: 'Voice',
      summary: 'Put speech into another voice',
      description: 'Billed by the seconds that are really in it.',
      query: SoundQuery,
      form: {
        id: 'ConversionForm',
        schema: ConversionForm,
        example: { model_id: 'eleven_multilingual_sts_v2', audio: '@speech.mp3' },
      },
      headers: headers.PARTIAL,
      answerHeaders: headers.CONVERTED,
      isPaid: true,
    },
    models: {
      tag: 'Voice',
      summary: 'List the voice models',
      answer: named('VoiceModels', answers.Models),
    },
    user: {
      tag: 'Voice',
      summary: 'Read who the key belongs to',
      answer: named('VoiceUser', answers.User),
    },
    subscription: {
      tag: 'Voice',
      summary: 'Read what the balance buys, as a subscription',
      answer: named('VoiceSubscription', answers.Subscription),
    },
  } satisfies Record<string, RouteDoc>;
}

function voicesDocs() {
  return {
    listVoices: {
      tag: 'Voices',
      summary: 'List the voices',
      answer: named('VoiceList', answers.VoiceList),
    },
    searchVoices: {
      tag: 'Voices',
      summary: 'Search the voices',
      description: '`voice_ids` may be of either vendor; voices come under the ids that were asked for.',
      query: VoiceSearchQuery,
      answer: named('VoicePage', answers.VoicePage),
    },
    addVoice: {
      tag: 'Voices',
      summary: 'Clone a voice from samples',
      description:
        'Costs nothing, and is refused with 402 like a call that does while the balance is zero or the spend limit is reached. ' +
        'The embedded voices follow the pitch and brightness of the samples: a voice like it, not that voice. Where an ElevenLabs upstream ' +
        'speaks with cloned voices, the voice is made there too. `labels` that are no JSON ' +
        'object of texts give 422 `invalid_labels`; one voice more than `voice_limit` of the subscription gives 400 `voice_limit_reached`.',
      form: { id: 'NewVoiceForm', schema: NewVoiceForm, example: { name: 'Narrator', files: '@sample.mp3' } },
      answer: named('NewVoice', answers.NewVoiceAnswer),
      errors: UPSTREAM_ERRORS,
    },
    retrieveVoice: {
      tag: 'Voices',
      summary: 'Read a voice',
      answer: named('Voice', answers.Voice),
    },
    deleteVoice: { tag: 'Voices', summary: 'Remove a cloned voice', answer: DONE, errors: [422, 502, 504] },
    editVoice: {
      tag: 'Voices',
      summary: 'Change a cloned voice',
      description: 'What is sent changes; samples are added, and the voice follows the new ones.',
      form: { id: 'VoiceChangeForm', schema: VoiceChangeForm, example: { name: 'Narrator' } },
      answer: DONE,
      errors: UPSTREAM_ERRORS,
    },
    defaultSettings: {
      tag: 'Voices',
      summary: 'Read how voices speak by default',
      answer: named('VoiceSettings', answers.Settings),
    },
    voiceSettings: {
      tag: 'Voices',
      summary: 'Read how a voice speaks',
      answer: named('VoiceSettings', answers.Settings),
    },
    changeSettings: {
      tag: 'Voices',
      summary: 'Set how a cloned voice speaks',
      input: { id: 'VoiceSettingsRequest', schema: VoiceSettingsBody, example: { speed: 1.1 } },
      answer: DONE,
    },
  } satisfies Record<string, RouteDoc>;
}

function historyDocs() {
  return {
    history: {
      tag: 'Speech history',
      summary: 'List what was spoken',
      query: HistoryQuery,
      answer: named('SpeechHistory', answers.History),
    },
    historyItem: {
      tag: 'Speech history',
      summary: 'Read an item of the history',
      answer: named('SpeechHistoryItem', answers.HistoryItem),
    },
    deleteHistoryItem: {
      tag: 'Speech history',
      summary: 'Remove an item and its sound',
      answer: DONE,
    },
    historySound: { tag: 'Speech history', summary: 'Download the sound of an item' },
  } satisfies Record<string, RouteDoc>;
}
