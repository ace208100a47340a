import type { z } from 'zod';
import * as headers from '../http/documentedHeaders.ts';
import type { NamedSchema, RouteDoc } from '../http/documentedRoute.ts';
import * as answers from './voiceAnswers.ts';
import { NewVoiceForm, VoiceChangeForm } from './addVoice.ts';
import { ConversionForm } from './speechToSpeech.ts';
import { HistoryDownload } from './downloadHistory.ts';
import { HistoryQuery } from './history.ts';
import { SoundQuery, SpeechBody, VoiceSettingsBody } from './voiceSchema.ts';
import { VoiceSearchQuery } from './searchVoices.ts';
import { HearingForm, HearingQuery } from './speechToText.ts';

// Errors of routes that also change a voice at an upstream.
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
        'Sends sound while it is made, in any `output_format`. Billed by characters. Headers: `request-id`, `history-item-id`, ' +
        '`character-cost`, `x-cost-usd`. When the balance does not cover the text: 402; with `x-allow-partial: ' +
        'true` the beginning is spoken.',
    },
    speakStream: { ...spoken, summary: 'Speak a text with a voice, as a stream' },
    speakTimed: {
      ...spoken,
      summary: 'Speak a text, with the times of its characters',
      answer: named('TimedSpeech', answers.TimedSpeech),
    },
    speakTimedStream: {
      ...spoken,
      summary: 'Speak a text, with times, as JSON lines',
      description: 'After ten seconds of silence comes an empty line: skip it, as ElevenLabs’ clients do.',
      answer: named('TimedSpeech', answers.TimedSpeech),
      isInLines: true,
    },
    transcribe: {
      tag: 'Voice',
      summary: 'Transcribe sound, word by word',
      description: 'Billed by the decoded minutes. `diarize`, unless it is false, and `num_speakers` are refused.',
      query: HearingQuery,
      form: { id: 'HearingForm', schema: HearingForm, example: { model_id: 'scribe_v1', file: '@speech.mp3' } },
      headers: headers.PARTIAL,
      answer: named('HeardText', answers.HeardText),
      answerHeaders: headers.TRANSCRIBED,
      isPaid: true,
    },
    convert: {
      tag: 'Voice',
      summary: 'Convert speech to another voice',
      description: 'Billed by the decoded seconds.',
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
      summary: 'Read the user of the key',
      answer: named('VoiceUser', answers.User),
    },
    subscription: {
      tag: 'Voice',
      summary: 'Read the balance as a subscription',
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
      description: '`voice_ids` may be OpenAI or ElevenLabs ids; the answer keeps the requested ids.',
      query: VoiceSearchQuery,
      answer: named('VoicePage', answers.VoicePage),
    },
    addVoice: {
      tag: 'Voices',
      summary: 'Clone a voice from samples',
      description:
        'Free, but refused with 402 while the balance is zero or the spend limit is reached. The embedded engine imitates the pitch and ' +
        'brightness of the samples, not the voice itself. An ElevenLabs upstream that serves cloned voices gets the voice too. `labels` ' +
        'that are not a JSON object of texts: 422 `invalid_labels`; more voices than `voice_limit` of the ' +
        'subscription: 400 `voice_limit_reached`.',
      form: { id: 'NewVoiceForm', schema: NewVoiceForm, example: { name: 'Narrator', files: '@sample.mp3' } },
      answer: named('NewVoice', answers.NewVoiceAnswer),
      errors: UPSTREAM_ERRORS,
    },
    sampleSound: {
      tag: 'Voices',
      summary: 'Download a sample of a cloned voice',
      description: 'As it was sent.',
    },
    retrieveVoice: {
      tag: 'Voices',
      summary: 'Read a voice',
      answer: named('Voice', answers.Voice),
    },
    deleteVoice: { tag: 'Voices', summary: 'Remove a cloned voice', answer: DONE, errors: [502, 504] },
    editVoice: {
      tag: 'Voices',
      summary: 'Change a cloned voice',
      description: 'Replaces the sent members. New samples are added, and the voice is measured again from them.',
      form: { id: 'VoiceChangeForm', schema: VoiceChangeForm, example: { name: 'Narrator' } },
      answer: DONE,
      errors: UPSTREAM_ERRORS,
    },
    defaultSettings: {
      tag: 'Voices',
      summary: 'Read the default voice settings',
      answer: named('VoiceSettings', answers.Settings),
    },
    voiceSettings: {
      tag: 'Voices',
      summary: 'Read the settings of a voice',
      answer: named('VoiceSettings', answers.Settings),
    },
    changeSettings: {
      tag: 'Voices',
      summary: 'Change the settings of a cloned voice',
      input: { id: 'VoiceSettingsRequest', schema: VoiceSettingsBody.strict(), example: { speed: 1.1 } },
      answer: DONE,
    },
  } satisfies Record<string, RouteDoc>;
}

function historyDocs() {
  return {
    history: {
      tag: 'Speech history',
      summary: 'List the speech history',
      query: HistoryQuery,
      answer: named('SpeechHistory', answers.History),
    },
    historyItem: {
      tag: 'Speech history',
      summary: 'Read an item of the history',
      answer: named('SpeechHistoryItem', answers.HistoryItem),
    },
    downloadHistory: {
      tag: 'Speech history',
      summary: 'Download the sound of items',
      description: 'The sound of one item, or a ZIP archive with that of several, named by their ids.',
      input: {
        id: 'HistoryDownload',
        schema: HistoryDownload,
        example: { history_item_ids: ['speech_0000000000000000000001'] },
      },
      errors: [404],
    },
    deleteHistoryItem: {
      tag: 'Speech history',
      summary: 'Remove an item and its sound',
      answer: DONE,
    },
    historySound: { tag: 'Speech history', summary: 'Download the sound of an item' },
  } satisfies Record<string, RouteDoc>;
}

/** Documentation of the previews of presets. */
export const previewDoc: RouteDoc = {
  tag: 'Voices',
  summary: 'Hear a preset voice',
  description:
    'A sentence as MP3, free and without a key: the `preview_url` of a preset. 404 `preview_not_found` where only a vendor speaks it.',
  answerHeaders: { 'cache-control': 'How long it may be kept.' },
};
