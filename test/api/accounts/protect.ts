import { createHmac } from 'node:crypto';
import { expectAnswer, password, type AccountStage } from './accountStage.ts';

type Person = Awaited<ReturnType<AccountStage['person']>>;

/** Turns the second factor on, and returns the app's secret and the recovery codes. */
export async function protect(person: Person) {
  const enabled = await person.post<{ totpURI: string; backupCodes: string[] }>('auth/two-factor/enable', { password });
  const { body } = expectAnswer(enabled, 200);
  expectAnswer(await person.post('auth/two-factor/verify-totp', { code: codeOf(body.totpURI) }), 200);
  return body;
}

/** The code in an authenticator app (RFC 6238), `steps` of 30 s from now. */
export function codeOf(totpUri: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', base32(new URL(totpUri).searchParams.get('secret')!))
    .update(counter)
    .digest();
  const code = (digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff) % 1_000_000;
  return String(code).padStart(6, '0');
}

function base32(text: string): Buffer {
  const bits = text
    .split('')
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
}
