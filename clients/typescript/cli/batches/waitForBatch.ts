import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledgerline, Schemas } from '../../src/index.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import { number, usd } from '../format.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { onInterrupt } from '../terminal/interrupts.ts';
import { Interrupted } from '../terminal/prompts.ts';
import { statusLine } from '../terminal/statusLine.ts';
import { isLive } from '../terminal/terminal.ts';

type Batch = Schemas['Batch'];

const INTERVAL_MS = 2_000;
const LAST = ['completed', 'failed', 'expired', 'cancelled'];

export const hasEnded = ({ status }: Batch): boolean => LAST.includes(status);

/** Waits for the end of a batch, with a bar on a terminal and a line for each state elsewhere. Ctrl-C leaves; the batch goes on. */
export async function waitForBatch(client: Ledgerline, batchId: string): Promise<Batch> {
  const leaving = new AbortController();
  const status = statusLine();
  const interrupts = onInterrupt(
    () => leaving.abort(new Interrupted()),
    () => '',
  );
  let told = '';
  try {
    for (;;) {
      const params = { path: { batch_id: batchId } };
      const { data: batch } = await client.api.GET('/v1/batches/{batch_id}', { params, signal: leaving.signal });
      if (hasEnded(batch)) return batch;
      const { total, completed, failed } = batch.request_counts;
      status.progress(batch.status.replace('_', ' '), completed + failed, total, countsText(batch));
      if (!isLive() && told !== batch.status) say(`${batch.id}  ${batch.status}`);
      told = batch.status;
      await sleep(INTERVAL_MS, undefined, { signal: leaving.signal }).catch(() => {});
      leaving.signal.throwIfAborted();
    }
  } catch (error) {
    if (leaving.signal.aborted) say(`${err.dim('The batch goes on:')} ledgerline batch wait ${batchId}`);
    throw leaving.signal.aborted ? leaving.signal.reason : error;
  } finally {
    status.clear();
    interrupts.release();
  }
}

export function countsText({ request_counts: { total, completed, failed }, usage }: Batch): string {
  const refused = failed > 0 ? `, ${number(failed)} failed` : '';
  return `${number(completed)} of ${number(total)} lines${refused}, ${usd(usage.cost)}`;
}

/** Throws what the exit code of a batch that did not complete says. */
export function checkBatch({ id, status, errors }: Batch): void {
  if (status === 'completed') return;
  const lines = (errors?.data ?? [])
    .slice(0, 20)
    .map(({ line, message }) => `  ${line === null ? '' : `line ${line}: `}${message}`);
  const more = errors && errors.data.length > lines.length ? [`  and ${errors.data.length - lines.length} more`] : [];
  throw new Failure([`The batch ${id} is ${status}.`, ...lines, ...more].join('\n'), {
    hint: status === 'failed' ? 'No line was run. Correct the file, and submit it again.' : undefined,
    exitCode: ExitCode.failed,
  });
}
