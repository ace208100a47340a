import { setGuardStage, type Asked } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { balanceOf } from '../../support/account.ts';

type Field = string | Uint8Array<ArrayBuffer>;

export { read } from '../../support/http.ts';

export type VoiceStage = Awaited<ReturnType<typeof setVoiceStage>>;

export const fox = 'The quick brown fox jumped over the lazy dog.';
const creditNanos = 10_000_000_000n;

/** The API as a process with the embedded voices, two workspaces, and helpers that request speech. */
export async function setVoiceStage() {
  const stage = await setGuardStage();
  const mine = await stage.account({ balanceNanos: creditNanos });
  const other = await stage.account({ balanceNanos: creditNanos });

  const call = (path: string, { key = mine.secret, headers = {}, ...asked }: Asked & { key?: string } = {}) =>
    stage.ask(path, { ...asked, headers: { 'xi-api-key': key, ...headers } });

  const speak = (voiceAndForm: string, members: object = {}, key = mine.secret) =>
    call(`/voiceapi/v1/text-to-speech/${voiceAndForm}`, { key, body: JSON.stringify({ text: fox, ...members }) });

  /** Sends a form; values that are bytes become files, and a list of values several fields of one name. */
  function send(path: string, fields: Record<string, Field | readonly string[]>, key = mine.secret) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') form.append(name, value);
      else if (!(value instanceof Uint8Array)) for (const one of value) form.append(name, one);
      else form.append(name, new Blob([value]), 'speech.bin');
    }
    return fetch(stage.api.url + path, { method: 'POST', body: form, headers: { 'xi-api-key': key } });
  }

  const sounds = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** Some speech as a file, spoken once for all tests. */
  function sound(format = 'mp3_44100_64', text = fox): Promise<Uint8Array<ArrayBuffer>> {
    const path = `alloy?output_format=${format}&enable_logging=false`;
    const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
    const made = sounds.get(path + text) ?? speak(path, { text }).then(bytesOf);
    sounds.set(path + text, made);
    return made;
  }

  /** Waits until an account has paid this much in total. */
  const paid = (account: { workspaceId: string }, nanos: bigint) =>
    until(async () => creditNanos - (await balanceOf(stage.db, account.workspaceId)) === nanos);

  return { ...stage, mine, other, call, speak, send, sound, paid, creditNanos };
}
