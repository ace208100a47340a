import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { storedZip, storedZipBytes, type StoredPart } from '../../base/zip.ts';
import { wavHeader } from '../../base/wavHeader.ts';
import { beginReading, findFile } from '../../db/files/files.ts';
import type { SpeechHistoryRow } from '../../db/voices/speechHistory.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { Handler } from '../context.ts';
import { sendStream } from '../http/sendStream.ts';
import type { Services } from '../services.ts';
import { itemOf, soundNotKept } from './history.ts';
import { refused } from './voiceSchema.ts';

// A page of the history. An archive has less than 4 GiB.
const ITEMS_MAX = 1_000;
const ARCHIVE_BYTES_MAX = 2 ** 31;

export const HistoryDownload = z.strictObject({
  history_item_ids: z.array(z.string().min(1).max(100)).min(1).max(ITEMS_MAX),
  output_format: z
    .enum(['default', 'wav'])
    .optional()
    .describe('`default`: as each item was made. `wav`: for items that were made as WAV or PCM.'),
});

/** `POST /v1/history/download`: the sound of one item, or a ZIP archive with that of several. */
export function downloadHistory(services: Services): Handler<z.output<typeof HistoryDownload>> {
  return async (ctx) => {
    const { history_item_ids: ids, output_format: format = 'default' } = ctx.state.input;
    const rows = services.db.read(ctx.state.key.workspaceId);
    const parts: Sound[] = [];
    for (const id of new Set(ids))
      parts.push(await soundOf(rows, await itemOf(ctx, services, id, 'history_item_ids'), format));
    const [first] = parts;
    const isOne = parts.length === 1;
    const length = isOne ? first!.sizeBytes : storedZipBytes(parts);
    if (length > ARCHIVE_BYTES_MAX)
      throw refused('history_item_ids', 'The archive would be too large: ask for fewer items.', 'too_large');
    const bytes = isOne ? alone(await first!.read()) : storedZip(parts);
    ctx.res.setHeader('content-type', isOne ? first!.contentType : 'application/zip');
    ctx.res.setHeader('content-length', length);
    await sendStream(ctx, bytes);
  };
}

async function* alone(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

type Sound = StoredPart & { contentType: string };

async function soundOf(rows: Rows, item: SpeechHistoryRow, format: 'default' | 'wav'): Promise<Sound> {
  const { id, contentType, outputFormat } = item;
  const fileId = item.fileId ?? undefined;
  if (fileId === undefined) throw soundNotKept();
  const { sizeBytes } = await findFile(rows, fileId);
  const [codec = '', rate] = (outputFormat ?? '').split('_');
  const whole = { id: fileId, from: 0, to: sizeBytes };
  const read = async () => buffer(await beginReading(rows, whole));
  if (format === 'default' || codec === 'wav') return { path: `${id}.${codec || 'mp3'}`, contentType, sizeBytes, read };
  if (codec !== 'pcm')
    throw refused(
      'output_format',
      `An item that was made as ${outputFormat ?? contentType} is not converted: ask for default.`,
      'unsupported_parameter',
    );
  const header = wavHeader({ sampleRate: Number(rate), sampleCount: Math.floor(sizeBytes / 2) });
  return {
    path: `${id}.wav`,
    contentType: 'audio/wav',
    sizeBytes: header.length + sizeBytes,
    read: async () => Buffer.concat([header, await read()]),
  };
}
