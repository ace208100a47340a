import './billing.css';
import { Skeleton } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { lastingText } from '../parts/figures.tsx';
import { HeadlineMoney, Money } from '../parts/Money.tsx';
import { LIVE_MS } from './useCommonTime.ts';

/** What can be spent, what is held, and how long it lasts. */
export function Balance() {
  const balance = useAnswer(['balance'], (signal) => api.GET('/platform/v1/billing/balance', { signal }), {
    refetchInterval: 3_000,
  });
  const overview = useAnswer(['overview'], (signal) => api.GET('/platform/v1/overview', { signal }), {
    refetchInterval: LIVE_MS,
  });
  if (balance.error && !balance.data)
    return <TableFailure error={balance.error} retry={() => void balance.refetch()} />;
  const { available_usd: available, held_usd: held = 0, balance_usd: total = 0 } = balance.data ?? {};
  return (
    <div>
      <p className="headline-label">Available balance</p>
      <p className="balance-amount">
        {balance.data ? <HeadlineMoney usd={available} /> : <Skeleton height={48} width={220} />}
      </p>
      <div className="balance-bar" aria-hidden>
        {total > 0 && <span style={{ flex: `${Math.max(0, available ?? 0)} 0 0` }} />}
        {held > 0 && <span className="is-held" style={{ flex: `${held} 0 4px` }} />}
      </div>
      <ul className="balance-parts" aria-label="The balance in parts">
        <li data-part="available">
          Available <Money usd={available} />
        </li>
        <li data-part="held">
          Held by running calls <Money usd={balance.data?.held_usd} />
        </li>
        <li>
          Balance <Money usd={balance.data?.balance_usd} />
        </li>
      </ul>
      <p className="runway">{overview.data ? lastingText(overview.data) : ' '}</p>
    </div>
  );
}
