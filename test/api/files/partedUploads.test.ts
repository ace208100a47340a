import { afterAll, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import OpenAI, { toFile } from 'openai';
import { setFileStage } from '../../support/fileStage.ts';
import { codeOf } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';

const stage = await setFileStage();
const [mine, other] = [stage.mine, stage.other].map(
  ({ secret }) => new OpenAI({ apiKey: secret, baseURL: `${stage.api.url}/textapi/v1`, maxRetries: 0 }),
) as [OpenAI, OpenAI];
afterAll(() => stage.close());

// Larger than a chunk of the database, and readable as text.
const content = Buffer.from(randomBytes(400_000).toString('hex'));
const pieces = [content.subarray(0, 300_000), content.subarray(300_000, 300_001), content.subarray(300_001)];
const md5 = createHash('md5').update(content).digest('hex');

const announce = (client = mine, more: Partial<OpenAI.UploadCreateParams> = {}) =>
  client.uploads.create({
    filename: 'large.txt',
    purpose: 'user_data',
    bytes: content.length,
    mime_type: 'text/plain',
    ...more,
  });

async function send(uploadId: string, parts = pieces, client = mine): Promise<string[]> {
  const sent = parts.map(async (bytes) => client.uploads.parts.create(uploadId, { data: await toFile(bytes, 'part') }));
  return (await Promise.all(sent)).map(({ id }) => id);
}

const partsOf = async (uploadId: string) =>
  (await stage.db.pool.query(`select id from files where filename = $1 and deleted_at is null`, [uploadId])).rowCount;

describe('a file that is uploaded in parts', () => {
  test('is the file of its parts in their order, however they arrived', async () => {
    const upload = await announce();
    expect(upload).toMatchObject({ object: 'upload', status: 'pending', file: null, bytes: content.length });
    expect(upload.expires_at - upload.created_at).toBe(3_600);
    const ids = await send(upload.id);
    const done = await mine.uploads.complete(upload.id, { part_ids: ids, md5 });
    expect(done).toMatchObject({ id: upload.id, status: 'completed' });
    expect(done.file).toMatchObject({
      object: 'file',
      filename: 'large.txt',
      purpose: 'user_data',
      bytes: content.length,
    });
    const read = await mine.files.content(done.file!.id);
    expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
    expect(await partsOf(upload.id)).toBe(0);
  });

  test('exists once, although it is completed twice at once, and again by a client whose answer was lost', async () => {
    const upload = await announce();
    const ids = await send(upload.id);
    const complete = () => mine.uploads.complete(upload.id, { part_ids: ids, md5 });
    const [one, other] = await Promise.all([complete(), complete()]);
    expect([other, await complete()]).toEqual([one, one]);
    expect(one).toMatchObject({ status: 'completed', file: { filename: 'large.txt', bytes: content.length } });
    const made = await stage.db.pool.query(
      `select from files where filename = 'large.txt' and deleted_at is null and id <> all($1)`,
      [ids],
    );
    // This upload, and that of the previous test.
    expect(made.rowCount).toBe(2);
    await mine.files.delete(one.file!.id);
    await expect(complete()).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
    await expect(mine.uploads.cancel(upload.id)).rejects.toMatchObject({ status: 409, code: 'upload_ended' });
  });

  test('stays when a part that it does not need expires as it is completed', async () => {
    const upload = await announce();
    const [surplus] = await send(upload.id, [pieces[1]!]);
    const ids = await send(upload.id);
    await stage.db.pool.query(`update files set expires_at = now() - interval '1 s' where id = $1`, [surplus]);
    const done = await mine.uploads.complete(upload.id, { part_ids: ids });
    expect(await mine.files.retrieve(done.file!.id)).toMatchObject({ bytes: content.length });
    expect(await partsOf(upload.id)).toBe(0);
  });

  test('is refused by name when parts are missing, unknown, twice, of another size or of another sum', async () => {
    const upload = await announce();
    const foreign = await announce();
    const [theirs] = await send(foreign.id, [pieces[1]!]);
    const ids = await send(upload.id);
    const complete = (part_ids: string[], sum?: string) =>
      expect(mine.uploads.complete(upload.id, { part_ids, ...(sum && { md5: sum }) })).rejects;
    const invalid = (param: string) => ({ status: 400, code: 'invalid_value', param });
    await complete(ids.slice(1)).toMatchObject(invalid('part_ids'));
    await complete([...ids, 'part_unknown']).toMatchObject(invalid('part_ids[3]'));
    await complete([ids[0]!, ids[0]!]).toMatchObject(invalid('part_ids[1]'));
    await complete([theirs!, ids[0]!, ids[2]!]).toMatchObject(invalid('part_ids[0]'));
    await complete(ids, 'd41d8cd98f00b204e9800998ecf8427e').toMatchObject(invalid('md5'));
    await complete([]).toMatchObject({ status: 400, param: 'part_ids' });
    expect(await mine.uploads.complete(upload.id, { part_ids: ids, md5 })).toMatchObject({ status: 'completed' });
  });

  test('is no longer taken once it is cancelled', async () => {
    const upload = await announce();
    const ids = await send(upload.id, [pieces[1]!]);
    expect(await mine.uploads.cancel(upload.id)).toMatchObject({ status: 'cancelled' });
    expect(await partsOf(upload.id)).toBe(0);
    const ended = { status: 409, code: 'upload_ended' };
    await expect(send(upload.id, [pieces[1]!])).rejects.toMatchObject(ended);
    await expect(mine.uploads.complete(upload.id, { part_ids: ids })).rejects.toMatchObject(ended);
    await expect(mine.uploads.cancel(upload.id)).rejects.toMatchObject(ended);
  });

  test('is ended by one of a completion and a cancellation at the same time, and the other is told so', async () => {
    const ends = async () => {
      const upload = await announce(mine, { bytes: 1 });
      const ids = await send(upload.id, [pieces[1]!]);
      return Promise.allSettled([mine.uploads.complete(upload.id, { part_ids: ids }), mine.uploads.cancel(upload.id)]);
    };
    for (const both of await Promise.all(Array.from({ length: 10 }, ends))) {
      const [refused, ...others] = both.filter(({ status }) => status === 'rejected');
      expect([refused, others]).toMatchObject([{ reason: { status: 409, code: 'upload_ended' } }, []]);
    }
  });

  test('is completed although its parts have filled the workspace: it takes their place', async () => {
    const full = await stage.account();
    const client = new OpenAI({ apiKey: full.secret, baseURL: `${stage.api.url}/textapi/v1`, maxRetries: 0 });
    const upload = await announce(client);
    const ids = await send(upload.id, pieces, client);
    await stage.db.pool.query(
      `insert into files (id, workspace_id, purpose, filename, media_type, size_bytes, sha256)
       values ('file_filling', $1, 'user_data', 'f', 'text/plain', 21474836480 - $2::bigint, '')`,
      [full.workspaceId, content.length],
    );
    await expect(send(upload.id, [pieces[1]!], client)).rejects.toMatchObject({ status: 413 });
    expect(await client.uploads.complete(upload.id, { part_ids: ids, md5 })).toMatchObject({ status: 'completed' });
  });

  test('takes no part that was on its way when it ended', async () => {
    const upload = await announce();
    const [head, tail] = [
      '--b\r\ncontent-disposition: form-data; name="data"; filename="p"\r\n\r\nHel',
      'lo\r\n--b--\r\n',
    ];
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const part = fetch(`${stage.api.url}/textapi/v1/uploads/${upload.id}/parts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.mine.secret}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: body.readable,
      duplex: 'half',
    });
    await writer.write(Buffer.from(head));
    // The bytes of the part are being stored.
    const begun = `select from files where workspace_id = $1 and purpose = '' and deleted_at is not null`;
    await until(async () => (await stage.db.pool.query(begun, [stage.mine.workspaceId])).rowCount === 1);
    await mine.uploads.cancel(upload.id);
    await writer.write(Buffer.from(tail));
    await writer.close();
    const answer = await part;
    expect([answer.status, await codeOf(answer)]).toEqual([409, 'upload_ended']);
    expect(await partsOf(upload.id)).toBe(0);
  });

  test('takes no empty parts, and no more parts than a file may have', async () => {
    const upload = await announce();
    await expect(send(upload.id, [Buffer.alloc(0)])).rejects.toMatchObject({ status: 400, param: 'data' });
    expect(await partsOf(upload.id)).toBe(0);
    await stage.db.pool.query(
      `insert into files (id, workspace_id, purpose, filename, media_type, size_bytes, sha256)
       select 'part_' || n, $1, 'upload_part', $2, 'application/octet-stream', 1, '' from generate_series(1, 9999) n`,
      [stage.mine.workspaceId, upload.id],
    );
    const atOnce = await Promise.allSettled(Array.from({ length: 6 }, () => send(upload.id, [pieces[1]!])));
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(send(upload.id, [pieces[1]!])).rejects.toMatchObject({ status: 400, param: 'data' });
    expect(await partsOf(upload.id)).toBe(10_000);
  });

  test('takes no text in the place of a part', async () => {
    const { id } = await announce();
    const body = new FormData();
    body.append('data', 'a text without a filename');
    await expect(mine.post(`/uploads/${id}/parts`, { body })).rejects.toMatchObject({
      param: 'data',
      message: expect.stringContaining('The form needs a part named "data" with a filename.'),
    });
  });

  test('is refused where it could not become a file', async () => {
    await expect(announce(mine, { bytes: 26 * 1024 * 1024 })).rejects.toMatchObject({
      status: 413,
      code: 'file_too_large',
    });
    await expect(announce(mine, { purpose: 'evals' })).rejects.toMatchObject({ status: 400, param: 'purpose' });
    await expect(announce(mine, { bytes: 0 })).rejects.toMatchObject({ status: 400, param: 'bytes' });
    await expect(announce(mine, { filename: '../x' })).rejects.toMatchObject({ status: 400, param: 'filename' });
  });

  test('is refused as an icon of too many pixels, as a whole upload is', async () => {
    const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const icon = async (size: string) => {
      const bytes = Buffer.concat([head, Buffer.from(size, 'hex'), Buffer.alloc(900)]);
      const purpose = 'agent_icon' as OpenAI.FilePurpose;
      const upload = await announce(mine, { purpose, filename: 'icon.png', bytes: bytes.length });
      const ids = await send(upload.id, [bytes]);
      return mine.uploads.complete(upload.id, { part_ids: ids });
    };
    await expect(icon('00007fff00007fff')).rejects.toMatchObject({
      status: 400,
      param: 'file',
      message: expect.stringContaining('32767 × 32767'),
    });
    expect(await icon('0000080000000800')).toMatchObject({ status: 'completed' });
  });

  test('belongs to its workspace; its parts are no files', async () => {
    const upload = await announce();
    const [part] = await send(upload.id, [pieces[1]!]);
    const unknown = { status: 404, code: 'upload_not_found' };
    await expect(send(upload.id, [pieces[1]!], other)).rejects.toMatchObject(unknown);
    await expect(other.uploads.complete(upload.id, { part_ids: [part!] })).rejects.toMatchObject(unknown);
    await expect(other.uploads.cancel(upload.id)).rejects.toMatchObject(unknown);
    await expect(mine.files.retrieve(part!)).rejects.toMatchObject({ status: 403 });
    const listed = await mine.files.list();
    expect(listed.data.map(({ id }) => id)).not.toContain(part);
  });
});
