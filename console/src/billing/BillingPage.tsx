import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Money } from '../parts/Money.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { AutoTopup } from './AutoTopup.tsx';
import { Ledger } from './Ledger.tsx';
import { Payments } from './Payments.tsx';
import { Statement } from './Statement.tsx';
import { TopUp } from './TopUp.tsx';
import { useCommonTime } from './useCommonTime.ts';

export default function BillingPage() {
  const { role, features } = useMe();
  useCommonTime();
  const [{ paid }, set] = useSearchState();
  const mayPay = role === 'owner' || role === 'finance';
  const balance = useAnswer(['balance'], (signal) => api.GET('/platform/v1/billing/balance', { signal }), {
    refetchInterval: 3_000,
  });
  return (
    <>
      <PageHeader title="Billing" description="Calls are paid from a prepaid balance: nothing is billed afterwards." />
      <Stack gap="lg">
        {paid && (
          <Alert
            color="green"
            title="Thank you"
            withCloseButton
            closeButtonLabel="Close"
            onClose={() => set({ paid: undefined })}
          >
            The payment is on the balance as soon as it has cleared: with a card at once, with a bank transfer days
            later.
          </Alert>
        )}
        {features.payments === 'test' && (
          <Alert color="yellow" title="Test payments">
            This installation has no payment provider. Payments are tests: no card is charged, and the credit is not
            real money.
          </Alert>
        )}
        {balance.error && <TableFailure error={balance.error} retry={() => void balance.refetch()} />}
        <Figures>
          <Figure
            label="Available"
            isLoading={balance.isLoading}
            value={<Money usd={balance.data?.available_usd} isRounded />}
          >
            Can be spent now
          </Figure>
          <Figure label="Held" isLoading={balance.isLoading} value={<Money usd={balance.data?.held_usd} isRounded />}>
            By running calls and runs
          </Figure>
          <Figure
            label="Balance"
            isWide
            isLoading={balance.isLoading}
            value={<Money usd={balance.data?.balance_usd} />}
          >
            To the nano
          </Figure>
        </Figures>
        {mayPay ? (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <TopUp />
            <AutoTopup />
          </SimpleGrid>
        ) : (
          <Alert color="gray">An owner or a finance member pays for this workspace. Your role is {role}.</Alert>
        )}
        {mayPay && <Statement />}
        <Payments />
        <Ledger />
      </Stack>
    </>
  );
}
