import { wavHeader } from '../../../base/wavHeader.ts';
import type { ApiSetting, RunningApi } from '../../support/startApi.ts';
import { setMoneyStage, type Account, type MoneyStage } from './moneyStage.ts';
import { startScriptedElevenLabs } from './scriptedElevenLabs.ts';

// Of the product's catalogue, in nano-USD.
export const characterNanos = 15_000n;
const sampleRate = 16_000;

export type AudioStage<Api extends RunningApi = RunningApi> = Awaited<ReturnType<typeof setAudioStage<Api>>>;

/** The stage for money, with a scripted upstream for audio. */
export async function setAudioStage<Api extends RunningApi = RunningApi>(setting: {
  apis: number;
  start?: (setting: ApiSetting) => Promise<Api>;
  realtime?: ApiSetting['realtime'];
}) {
  const voice = await startScriptedElevenLabs();
  const stage = await setMoneyStage({ ...setting, voiceUrl: voice.url, voiceProtocol: 'elevenlabs' });
  return {
    ...stage,
    voice,
    close: async () => {
      await stage.close();
      await voice.stop();
    },
  };
}

/** A route that takes audio, and its price. */
export interface Hearing {
  path: string;
  part: string;
  fields: Record<string, string>;
  secondNanos: bigint;
  usage: (seconds: number) => object;
}

export const transcription: Hearing = {
  path: '/v1/audio/transcriptions',
  part: 'file',
  fields: { model: 'whisper-1' },
  secondNanos: 100_000n,
  usage: (seconds) => ({ audio_minutes: seconds / 60 }),
};
export const voiceTranscription: Hearing = {
  ...transcription,
  path: '/voiceapi/v1/speech-to-text',
  fields: { model_id: 'scribe_v1' },
};
export const conversion: Hearing = {
  path: '/voiceapi/v1/speech-to-speech/alloy/stream?output_format=pcm_24000&enable_logging=false',
  part: 'audio',
  fields: {},
  secondNanos: 2_000_000n,
  usage: (seconds) => ({ audio_seconds: seconds }),
};

/** A form with a WAV file of this many seconds. */
export function formOf({ part, fields }: Hearing, seconds: number): FormData {
  const sampleCount = seconds * sampleRate;
  const wav = Buffer.concat([wavHeader({ sampleRate, sampleCount }), Buffer.alloc(sampleCount * 2, 1)]);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(part, new Blob([wav]), 'sound.wav');
  return form;
}

export const headersOf = ({ secret }: Account) => ({ authorization: `Bearer ${secret}` });

/** Sends such a form and waits for the head of the answer. */
export const sendSound = (
  url: string,
  account: Account,
  hearing: Hearing,
  seconds: number,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) =>
  fetch(url + hearing.path, {
    method: 'POST',
    headers: { ...headersOf(account), ...headers },
    body: formOf(hearing, seconds),
    signal,
  });

/** The ledger's record of a request. */
export interface Billed {
  id: string;
  status: number;
  costNanos: bigint;
}

/** The ended requests of an account's key. */
export async function requestsOf({ db }: Pick<MoneyStage, 'db'>, { keyId }: Account): Promise<Billed[]> {
  await db.ledger.posted();
  const { rows } = await db.pool.query('select id, status, cost_nanos from requests where key_id = $1', [keyId]);
  return rows.map((row) => ({ id: row.id, status: row.status, costNanos: BigInt(row.cost_nanos) }));
}
