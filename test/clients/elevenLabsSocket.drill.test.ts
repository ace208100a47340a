import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { balanceOf } from '../support/account.ts';
import { makeCertificate } from '../support/certificate.ts';
import { makeFolder } from '../support/folder.ts';
import { setGuardStage } from '../support/guardStage.ts';
import { readSound } from '../support/sound.ts';
import { until } from '../support/until.ts';
import { installVenv, runPython } from './pythonVenv.ts';

const creditNanos = 1_000_000_000n;
const sentence = 'The quick brown fox jumped over the lazy dog, and then it slept for a long time.';

const folder = await makeFolder();
const identity = makeCertificate();
const certificateFile = join(folder.path, 'cert.pem');
const keyFile = join(folder.path, 'key.pem');
await Promise.all([writeFile(certificateFile, identity.cert), writeFile(keyFile, identity.key)]);
const python = await installVenv('venv', 'requirements.txt');
const stage = await setGuardStage({ env: { TLS_CERT_FILE: certificateFile, TLS_KEY_FILE: keyFile, TLS_PORT: '0' } });
const line = () => stage.api.lines.find((text) => text.includes('"url":"https:'));
await until(() => line() !== undefined);
const secureUrl = (JSON.parse(line()!) as { url: string }).url;
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

/** Speaks words with the vendor's unmodified client, which supports only `wss:`. */
async function speak(key: string, format: string, words: string[]) {
  const { output } = await runPython(python, ['speak_in_pieces.py', format, ...words], {
    BASE_URL: `${secureUrl}/voiceapi`,
    API_KEY: key,
    SSL_CERT_FILE: certificateFile,
  });
  try {
    return JSON.parse(output) as { sound?: string; status?: number; body?: unknown };
  } catch {
    throw new Error(output);
  }
}

test.each(['mp3_44100_128', 'opus_48000_64'])("ElevenLabs' Python client gets its speech as %s", async (format) => {
  const account = await stage.account({ balanceNanos: creditNanos });
  const { sound } = await speak(account.secret, format, sentence.split(/(?= )/));
  const facts = readSound(Buffer.from(sound!, 'hex'));
  expect(facts.seconds).toBeGreaterThan(3);
  expect(facts.codec).toBe(format.split('_')[0]);
  await until(async () => (await balanceOf(stage.db, account.workspaceId)) < creditNanos);
});

test('it raises the reason of a refusal', async () => {
  const { secret } = await stage.account({ balanceNanos: creditNanos });
  const { status, body } = await speak(secret, 'mp3_1_1', ['Hi.']);
  expect(status).toBe(1008);
  // The frame of the error, or the reason of the close where that came first: both name the parameter.
  expect(JSON.stringify(body)).toContain('output_format');
});
