import { afterAll, expect, test } from '@jest/globals';
import type { ErrorBody } from '../../support/guardStage.ts';
import { read, setFileStage } from '../../support/fileStage.ts';

const stage = await setFileStage();
afterAll(() => stage.close());

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');

test.each([true, false])(
  'refuses an icon of too many pixels by its header, with its purpose first: %j',
  async (fieldsFirst) => {
    const before = await stage.stored();
    const icon = (content: Uint8Array<ArrayBuffer>) =>
      stage.send('/v1/files', { content, filename: 'i', fields: { purpose: 'agent_icon' }, fieldsFirst });
    const bomb = Buffer.concat([PNG.subarray(0, 16), Buffer.from('00007fff00007fff', 'hex'), Buffer.alloc(900)]);
    const { error } = await read<ErrorBody>(await icon(bomb), 422);
    expect(error.message).toContain('An icon has at most 2048 × 2048 pixels');
    expect(error.message).toContain('32767 × 32767');
    expect((await icon(jpegOf({ width: 30_000, height: 4, previewBytes: 60_000 }))).status).toBe(422);
    expect((await icon(PNG.subarray(0, 16))).status).toBe(422);
    expect(await stage.stored()).toEqual(before);
    expect((await icon(jpegOf({ width: 2_048, height: 4, previewBytes: 60_000 }))).status).toBe(200);
  },
);

/** The beginning of a JPEG whose size follows a preview. */
function jpegOf({ width, height, previewBytes }: { width: number; height: number; previewBytes: number }) {
  const preview = Buffer.concat([
    Buffer.from('ffd8ffe1', 'hex'),
    uint16(previewBytes + 2),
    Buffer.alloc(previewBytes, 7),
  ]);
  const frame = Buffer.concat([Buffer.from('ffc2001108', 'hex'), uint16(height), uint16(width), Buffer.alloc(10)]);
  return Buffer.concat([preview, frame]);
}

function uint16(value: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
