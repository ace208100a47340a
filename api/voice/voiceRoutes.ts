import { voiceDocs } from './voiceDocs.ts';
import { body } from '../body/body.ts';
import { LONG_TEXT_BODY } from '../../base/limits.ts';
import { fundedFirst } from '../guard/balance.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { parseBody, alsoQuery, query, withQuery } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { retryable } from '../replay/retryable.ts';
import { get, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { listVoiceModels, retrieveSubscription, retrieveUser } from './account.ts';
import { addVoice, editVoice } from './addVoice.ts';
import { downloadHistory, HistoryDownload } from './downloadHistory.ts';
import { deleteHistoryItem, HistoryQuery, listHistory, retrieveHistoryItem, retrieveHistorySound } from './history.ts';
import { retrieveSampleSound } from './preview.ts';
import { parseSpeechBody, SoundQuery, VoiceSettingsBody } from './voiceSchema.ts';
import { searchVoices, VoiceSearchQuery } from './searchVoices.ts';
import { createConversion } from './speechToSpeech.ts';
import { createVoiceTranscription, HearingQuery } from './speechToText.ts';
import { createVoiceSpeech } from './textToSpeech.ts';
import {
  changeVoiceSettings,
  defaultVoiceSettings,
  deleteVoice,
  listVoices,
  retrieveVoice,
  retrieveVoiceSettings,
} from './voices.ts';

/** The voice family, compatible with ElevenLabs' clients. An upload counts against the limits before its body is read. */
export function voiceRoutes(services: Services, keyed: Keyed): Route[] {
  const voice: Keyed = (...checks) => keyed(scope('voice'), ...checks);
  const free = voice();
  const speechBody = body(parseSpeechBody, { ...LONG_TEXT_BODY, ...fundedFirst(services) });
  const text = voice(...withQuery(speechBody, SoundQuery));
  const conversion = voice(alsoQuery(SoundQuery));
  // Stored settings apply to every later request, so unknown members are refused now.
  const settings = voice(body(parseBody(VoiceSettingsBody.strict())));
  const download = voice(body(parseBody(HistoryDownload)));
  const about = voiceDocs();
  const v1 = '/voiceapi/v1';
  const speech = `${v1}/text-to-speech/:voice_id`;
  // The vendor's clients call conversion at two paths.
  const conversions = ['speech-to-speech', 'voice-changer'].flatMap((name) => [
    post(`${v1}/${name}/:voice_id`, conversion, createConversion(services), about.convert),
    post(`${v1}/${name}/:voice_id/stream`, conversion, createConversion(services), about.convert),
  ]);
  const again = <Input extends object>(handler: Handler<Input>) => retryable(services, handler, 'bytes');
  return [
    post(speech, text, again(createVoiceSpeech(services, 'sound')), about.speak),
    post(`${speech}/stream`, text, again(createVoiceSpeech(services, 'sound')), about.speakStream),
    post(`${speech}/with-timestamps`, text, again(createVoiceSpeech(services, 'json')), about.speakTimed),
    post(`${speech}/stream/with-timestamps`, text, again(createVoiceSpeech(services, 'lines')), about.speakTimedStream),
    post(`${v1}/speech-to-text`, voice(alsoQuery(HearingQuery)), createVoiceTranscription(services), about.transcribe),
    ...conversions,
    get(`${v1}/voices`, free, listVoices(services), about.listVoices),
    get('/voiceapi/v2/voices', voice(query(VoiceSearchQuery)), searchVoices(services), about.searchVoices),
    post(`${v1}/voices/add`, free, addVoice(services), about.addVoice),
    get(`${v1}/voices/settings/default`, free, defaultVoiceSettings, about.defaultSettings),
    get(`${v1}/voices/:voice_id`, free, retrieveVoice(services), about.retrieveVoice),
    get(`${v1}/voices/:voice_id/samples/:sample_id/audio`, free, retrieveSampleSound(services), about.sampleSound),
    remove(`${v1}/voices/:voice_id`, free, deleteVoice(services), about.deleteVoice),
    post(`${v1}/voices/:voice_id/edit`, free, editVoice(services), about.editVoice),
    get(`${v1}/voices/:voice_id/settings`, free, retrieveVoiceSettings(services), about.voiceSettings),
    post(`${v1}/voices/:voice_id/settings/edit`, settings, changeVoiceSettings(services), about.changeSettings),
    get(`${v1}/models`, free, listVoiceModels(services), about.models),
    get(`${v1}/user`, free, retrieveUser(services), about.user),
    get(`${v1}/user/subscription`, free, retrieveSubscription(services), about.subscription),
    get(`${v1}/history`, voice(query(HistoryQuery)), listHistory(services), about.history),
    post(`${v1}/history/download`, download, downloadHistory(services), about.downloadHistory),
    get(`${v1}/history/:item_id`, free, retrieveHistoryItem(services), about.historyItem),
    remove(`${v1}/history/:item_id`, free, deleteHistoryItem(services), about.deleteHistoryItem),
    get(`${v1}/history/:item_id/audio`, free, retrieveHistorySound(services), about.historySound),
  ];
}
