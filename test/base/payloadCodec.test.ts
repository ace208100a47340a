import { expect, test } from '@jest/globals';
import { createPayloadCodec } from '../../base/payloadCodec.ts';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';

const text = (value: string) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

test('what is encrypted is unreadable, different each time, and decrypted again', async () => {
  const codec = createPayloadCodec(createSealingKey());
  const [first, second] = await codec.encode([text('run_1'), text('run_1')]);
  expect(Buffer.from(first!.data!).includes('run_1')).toBe(false);
  expect(first!.data).not.toEqual(second!.data);
  expect(await codec.decode([first!, second!])).toEqual([text('run_1'), text('run_1')]);
});

test('a payload without data keeps its metadata', async () => {
  const codec = createPayloadCodec(createSealingKey());
  const empty = { metadata: { encoding: Buffer.from('binary/null') } };
  const [sealed] = await codec.encode([empty]);
  expect(await codec.decode([sealed!])).toEqual([{ ...empty, data: undefined }]);
});

test('after a rotation the new key encrypts, and the old one still decrypts', async () => {
  const [old, current] = [createSealingKey(), createSealingKey()];
  const [sealed] = await createPayloadCodec(old).encode([text('before')]);
  const rotated = createPayloadCodec(`${current}, ${old}`);
  expect(await rotated.decode([sealed!])).toEqual([text('before')]);
  const [again] = await rotated.encode([text('after')]);
  expect(await createPayloadCodec(current).decode([again!])).toEqual([text('after')]);
  await expect(createPayloadCodec(old).decode([again!])).rejects.toThrow(/TEMPORAL_PAYLOAD_KEY lacks/);
});

test('payloads from before the key was set stay readable', async () => {
  expect(await createPayloadCodec(createSealingKey()).decode([text('plain')])).toEqual([text('plain')]);
});

test('a changed payload is refused', async () => {
  const codec = createPayloadCodec(createSealingKey());
  const [sealed] = await codec.encode([text('run_1')]);
  const data = Buffer.from(sealed!.data!);
  data[data.length - 1]! ^= 1;
  await expect(codec.decode([{ ...sealed!, data }])).rejects.toThrow();
});

test('an invalid key is refused by its name and not repeated', () => {
  expect(() => createPayloadCodec('short')).toThrow(/^TEMPORAL_PAYLOAD_KEY: must be 32 random bytes in base64/);
});
