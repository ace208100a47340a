import { Anchor, Skeleton } from '@mantine/core';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/hooks.ts';
import type { components } from '../../api/openapi.d.ts';
import { TableFailure } from '../../parts/DataTable.tsx';
import { countText } from '../../parts/figures.tsx';
import { Status, type Tone } from '../../parts/Status.tsx';
import { dayText } from '../../usage/period.ts';
import { checkedText } from './checkedText.ts';

type Proof = components['schemas']['LedgerProof'];

const LIVE_MS = 60_000;

const STATES: Record<Proof['state'], { tone: Tone; word: string }> = {
  holds: { tone: 'good', word: 'Ledger holds' },
  broken: { tone: 'bad', word: 'Ledger broken' },
  late: { tone: 'held', word: 'Check overdue' },
  unchecked: { tone: 'quiet', word: 'Not checked yet' },
};

/** When the ledger was last proven, and what the check found. */
export function LedgerProof() {
  const proof = useAnswer(['ledger-proof'], (signal) => api.GET('/console/v1/platform/ledger', { signal }), {
    refetchInterval: LIVE_MS,
  });
  if (proof.error && !proof.data) return <TableFailure error={proof.error} retry={() => void proof.refetch()} />;
  return (
    <section className="panel proof" aria-label="Ledger proof">
      {proof.data ? <Outcome proof={proof.data} /> : <Skeleton height={16} width={260} my={4} />}
    </section>
  );
}

function Outcome({ proof: { state, last_check: check, last_root: root } }: { proof: Proof }) {
  return (
    <>
      <p className="proof-line">
        <b>
          <Status {...STATES[state]} />
        </b>
      </p>
      <p className="proof-note">
        {check ? (
          <time dateTime={check.checked_at} title={check.checked_at}>
            Checked {checkedText(check.checked_at, Date.now())}: {countText(check.entries)} entries,{' '}
            {check.violations.length === 0 ? 'no violation' : <BrokenRules rules={check.violations} />}.
          </time>
        ) : (
          'Every rule is checked each hour by a worker.'
        )}{' '}
        {root ? `Signed up to ${dayText(root.day)}.` : 'No day is signed yet.'}{' '}
        <Anchor href="/docs/guides/bill-check" inherit>
          How to check it yourself
        </Anchor>
      </p>
    </>
  );
}

function BrokenRules({ rules }: { rules: NonNullable<Proof['last_check']>['violations'] }) {
  return (
    <span className="text-bad">
      {rules.map(({ rule, count, details }, at) => (
        <span key={rule} title={details.join('\n')}>
          {at > 0 && '; '}
          broken: {rule} ({count >= 20 ? '20 or more' : count})
        </span>
      ))}
    </span>
  );
}
