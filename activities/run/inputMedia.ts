import type { Pool } from 'pg';
import type { RunRow } from '../../db/runs/runRow.ts';
import { readFileBytes, type RunFile } from '../../db/sessions/saveRunFiles.ts';
import type { Json } from '../../providers/provider.ts';

/**
 * The images and sounds of a run's input that the model accepts, as parts of a chat message in OpenAI's form. Files that are no longer in
 * the session or have another type are left out: the model gets their names.
 */
export async function readInputMedia(
  pool: Pool,
  { run, files, inputMediaTypes = [] }: { run: RunRow; files: RunFile[]; inputMediaTypes: string[] | undefined },
): Promise<Json[]> {
  const items = typeof run.input === 'string' ? [] : run.input;
  const parts: Json[] = [];
  for (const item of items) {
    if (item.type !== 'input_file') continue;
    const file = files.find(({ fileId }) => fileId === item.file_id);
    if (!file || !inputMediaTypes.includes(file.mediaType)) continue;
    const bytes = await readFileBytes(pool, run.workspace_id, file.fileId);
    if (bytes) parts.push(partOf(file.mediaType, bytes.toString('base64')));
  }
  return parts;
}

function partOf(mediaType: string, base64: string): Json {
  if (mediaType.startsWith('image/')) {
    return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
  }
  return { type: 'input_audio', input_audio: { data: base64, format: mediaType === 'audio/wav' ? 'wav' : 'mp3' } };
}
