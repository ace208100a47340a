import type { PreparedLine, SentTo } from '../../db/batches/lineCall.ts';
import type { BatchRow } from '../../db/batches/batches.ts';
import { endpointOf } from '../../db/batches/batches.ts';
import type { StoredFile } from '../../db/files/files.ts';
import type { Key } from '../../db/keys/keys.ts';
import type { BatchPlace } from '../../contracts/batch.ts';
import type { BatchDependencies } from './batchDependencies.ts';
import { lineOf, readLines, type BatchLine, type FileLine } from './readLines.ts';

/** A batch with its file and its key. */
export interface PartSource {
  batch: BatchRow;
  file: StoredFile;
  key: Key;
}

/** A line that an upstream's own batches can run. */
export interface PartLine extends FileLine {
  read: BatchLine;
  prepared: PreparedLine;
}

/** Which lines are read: from a place on, before a line, of one model of an upstream; `sentTo`: as they were sent there. */
interface Wanted {
  from: BatchPlace;
  endLine?: number;
  of?: Pick<PreparedLine, 'upstream' | 'model'>;
  sentTo?: SentTo;
}

/** Reads the lines of a batch that the batches of an upstream can run. */
export function createPartLines({ db, lines }: Pick<BatchDependencies, 'db' | 'lines'>) {
  return async function* linesFrom(
    { batch, file, key }: PartSource,
    { from, endLine = Infinity, of, sentTo }: Wanted,
  ): AsyncGenerator<PartLine> {
    const endpoint = endpointOf(batch.endpoint)!;
    for await (const line of readLines(db.read(batch.workspaceId), file, from)) {
      if (line.line >= endLine) return;
      const read = lineOf(line.bytes, endpoint);
      if ('code' in read) continue;
      const call = { endpoint, body: read.body, bodyBytes: line.bytes!.length };
      const prepared = await lines.preparedOf(key, call, sentTo);
      if (!prepared || (of && (prepared.upstream !== of.upstream || prepared.model !== of.model))) continue;
      yield { ...line, read, prepared };
    }
  };
}
