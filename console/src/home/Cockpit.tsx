import { Button, Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMe } from '../api/me.ts';
import type { Overview } from '../api/shapes.ts';
import { Chart } from '../parts/chart/Chart.tsx';
import { Headline } from '../parts/Headline.tsx';
import { columnText, HeadlineMoney, Money } from '../parts/Money.tsx';
import { lastingText } from '../parts/figures.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { Change } from '../usage/Change.tsx';
import { usdTick } from '../parts/chart/scale.ts';
import { spanOfStep } from '../usage/period.ts';
import { Facts } from './Facts.tsx';
import { spendOf } from './spend.ts';

const HEIGHT = 208;

/** The state of the workspace's money in one panel: 30 days of spend, the balance, and the present day and month. */
export function Cockpit({ overview }: { overview: Overview | undefined }) {
  return (
    <section className="panel cockpit" aria-label="Spend and balance">
      <SpendChart overview={overview} />
      <Balance overview={overview} />
      <Facts overview={overview} />
    </section>
  );
}

function SpendChart({ overview }: { overview: Overview | undefined }) {
  const navigate = useNavigate();
  // Each answer is a new object; its days are new ones only when a sum is another one.
  const spend = useMemo(() => overview && spendOf(overview), [overview?.spend_days, overview?.spend_days_before]);
  const pick = (at: number) => {
    const search = { ...spanOfStep(spend!.steps[at]!, 'day'), zone: 'utc' };
    void navigate({ to: '/requests', search: () => search });
  };
  return (
    <div className="cockpit-spend">
      <Headline
        label={
          <Link {...pageAt('/usage', { compare: '1' })} className="quiet-link">
            Spend, last 30 days
          </Link>
        }
        value={spend && <HeadlineMoney usd={spend.sum} />}
        note={
          spend &&
          spend.sumBefore > 0 && (
            <>
              <Change now={spend.sum} before={spend.sumBefore} />{' '}
              <span className="ghost-name">vs. previous 30 days</span>
            </>
          )
        }
      />
      <Chart
        label="Spend by day, last 30 days"
        picture={spend?.picture}
        shape="area"
        height={HEIGHT}
        textOf={columnText}
        tickText={usdTick}
        totalName="Spend"
        empty="Your spend appears here with the first call."
        onPick={pick}
      />
    </div>
  );
}

function Balance({ overview }: { overview: Overview | undefined }) {
  const mayPay = useMe().scopes.includes('billing');
  const { available_usd: available = 0, held_usd: held = 0, balance_usd: balance = 0 } = overview ?? {};
  return (
    <div className="cockpit-balance">
      <Headline
        label="Available"
        value={overview && <HeadlineMoney usd={available} />}
        note={overview && lastingText(overview)}
        isTight
      />
      <BalanceBar availableUsd={Math.max(0, available)} heldUsd={held} />
      {/* Rounded ones would not add up to what is available. */}
      <dl className="cockpit-parts">
        <div>
          <dt className="balance-held">Held by running calls</dt>
          <dd>{overview ? <Money usd={held} /> : <Skeleton height={12} width={48} />}</dd>
        </div>
        <div>
          <dt>Balance</dt>
          <dd>{overview ? <Money usd={balance} /> : <Skeleton height={12} width={48} />}</dd>
        </div>
      </dl>
      {mayPay && (
        <Button component={Link} to="/billing" fullWidth mt="auto">
          Add credit
        </Button>
      )}
    </div>
  );
}

/** The balance in two parts: what can be spent, and what is held. */
function BalanceBar({ availableUsd, heldUsd }: { availableUsd: number; heldUsd: number }) {
  const sum = availableUsd + heldUsd;
  // What is held is seen, however little it is.
  const held = sum === 0 ? 0 : heldUsd === 0 ? 0 : Math.max(1.5, (heldUsd / sum) * 100);
  return (
    <svg className="cockpit-bar" width="100%" height={8} aria-hidden>
      <rect className="balance-track" width="100%" height={8} rx={4} />
      {sum > 0 && <rect className="balance-available" width={`${100 - held}%`} height={8} rx={4} />}
      {held > 0 && <rect className="balance-held-bar" x={`${100 - held}%`} width={`${held}%`} height={8} rx={4} />}
    </svg>
  );
}
