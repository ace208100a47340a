import './batches.css';
import { countText } from '../parts/figures.tsx';
import { doneOf, type Batch } from './batchStates.ts';
import { countOf } from '../parts/totals.tsx';

/** How many calls of a batch are done: answered ones, and failed ones behind them in red. */
export function BatchMeter({ of: batch, isWide = false }: { of: Batch; isWide?: boolean }) {
  const { total, completed, failed } = batch.request_counts;
  const { done, share } = doneOf(batch);
  const shareOf = (count: number) => `${total === 0 ? 0 : (count / total) * 100}%`;
  return (
    <span
      className={`meter batch-meter ${isWide ? 'is-wide' : ''}`}
      role="progressbar"
      aria-label={`${countText(done)} of ${countOf(total, 'call')} done`}
      aria-valuenow={Math.round(share)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: shareOf(completed) }} />
      <span className="is-failed" style={{ width: shareOf(failed) }} />
    </span>
  );
}
