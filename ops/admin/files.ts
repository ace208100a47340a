import { Option } from 'commander';
import { listFilesOutside, moveFile, type MovingFile } from '../../db/files/moveFile.ts';
import { ObjectStoreFailed } from '../../db/objects/objectStore.ts';
import type { FilePlace } from '../../db/files/upload.ts';
import type { AdminCommand, Input } from './command.ts';

export const moveFilesCommand: AdminCommand<{ to: FilePlace }> = {
  words: 'files move',
  summary:
    'Moves the bytes of all files into the store of FILES_S3_URL, or back into the database, while the ' +
    'service runs. Can be ended and repeated.',
  options: [new Option('--to <place>', 'where to').choices(['store', 'database']).default('store')],
  async run({ db }, { to }) {
    const store = db.everywhere.objects;
    if (!store) throw new Error('Set FILES_S3_URL, here and for the API and the worker.');
    if (store.takesNew !== (to === 'store'))
      throw new Error(
        `Set FILES_STORED_IN to ${to}, here and for the API and the worker: they still store new files elsewhere.`,
      );
    const { files, bytes, failed } = await moveAll(db, to);
    return {
      text: [`Moved ${files} files (${bytes} bytes).`, ...failed].join('\n'),
      json: { files, bytes, failed },
      hasFailed: failed.length > 0,
    };
  },
};

async function moveAll(db: Input['db'], to: FilePlace) {
  const moved = { files: 0, bytes: 0, failed: [] as string[] };
  for (let after = ''; ;) {
    const page = await listFilesOutside(db.everywhere, to, after);
    for (const file of page) await move(file);
    const last = page.at(-1);
    if (!last) return moved;
    after = last.id;
  }

  // An unreadable file does not stop the others; a store that is down does.
  async function move(file: MovingFile): Promise<void> {
    try {
      if (!(await moveFile(db.write(file.workspaceId), file, to))) return;
      moved.files += 1;
      moved.bytes += file.sizeBytes;
    } catch (error) {
      if (error instanceof ObjectStoreFailed && !error.isMissing) throw error;
      moved.failed.push(`${file.id} was not moved: ${(error as Error).message}`);
    }
  }
}
