import { readDoneLines } from '../../db/batches/batchResults.ts';
import { readReplies, type BatchPartRow } from '../../db/batches/batchParts.ts';
import { endpointOf, findBatchFile } from '../../db/batches/batches.ts';
import { readLiveKey } from '../../db/keys/keys.ts';
import type { Json } from '../../providers/provider.ts';
import type { BatchDependencies } from './batchDependencies.ts';
import { createPartLines, type PartLine, type PartSource } from './partLines.ts';
import { resultOf } from './runLine.ts';
import { settleKept } from './settleKept.ts';

const TOGETHER = 32;

/**
 * Bills what an upstream has answered to the lines of a part, each as the paid call that it would have been here: with a hold of its own,
 * which takes over its share of the part's. Can be repeated at any time.
 */
export function createPartCollector({ db, lines }: Pick<BatchDependencies, 'db' | 'lines'>) {
  const { everywhere, pool, ledger } = db;
  const linesFrom = createPartLines({ db, lines });

  return async function collect(part: BatchPartRow): Promise<void> {
    const { batch, file } = await findBatchFile(everywhere, part.batchId);
    const key = await readLiveKey(pool, batch.keyId);
    const range = { from: part.fromLine, to: part.toLine };
    const { dropped } = await settleKept({ everywhere, ledger }, { batchId: batch.id, key, ...range });
    // Without a key nothing can be billed: its lines are refused like all others.
    if (!key || dropped.length > 0) return;
    const done = await readDoneLines(everywhere, batch.id, range);
    const source = { batch, file, key };
    let leftNanos = part.heldNanos;
    const from = { line: part.fromLine, offsetBytes: part.fromByte };
    const all = linesFrom(source, { from, endLine: part.toLine, of: part, sentTo: part });
    for await (const together of groupsOf(all, TOGETHER)) {
      leftNanos -= together.reduce((sum, { prepared }) => sum + prepared.worstCaseNanos, 0n);
      await ledger.shrinkRun(pool, part.holdId, leftNanos > 0n ? leftNanos : 0n);
      await billAll(
        part,
        source,
        together.filter(({ line }) => !done.has(line)),
      );
    }
  };

  async function billAll(part: BatchPartRow, { batch, key }: PartSource, group: PartLine[]): Promise<void> {
    const replies = await readReplies(
      everywhere,
      part.id,
      group.map(({ line }) => line),
    );
    const endpoint = endpointOf(batch.endpoint)!;
    const bill = async ({ line, read, bytes, prepared: { answersAs } }: PartLine): Promise<void> => {
      const reply = replies.get(line);
      if (reply === undefined) return;
      const answered = { sentTo: part, answersAs, reply: JSON.parse(reply) as Json };
      const call = { endpoint, body: read.body, bodyBytes: bytes!.length };
      // A refused one has no result, and runs here.
      await lines.run(key, call, (answer) => resultOf(batch.id, { read, line }, answer), answered);
    };
    await Promise.all(group.map(bill));
  }
}

async function* groupsOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
