import './billing.css';
import { Stack, Tabs, Text } from '@mantine/core';
import { useMe } from '../api/me.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { tabOf } from '../parts/tabOf.ts';
import { TabsLine } from '../parts/TabsLine.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Invoices } from '../invoices/Invoices.tsx';
import { Alerts } from './Alerts.tsx';
import { AutoTopup } from './AutoTopup.tsx';
import { Balance } from './Balance.tsx';
import { Ledger } from './Ledger.tsx';
import { Payments } from './Payments.tsx';
import { Returned } from './Returned.tsx';
import { Statement } from './Statement.tsx';
import { TopUp } from './TopUp.tsx';
import { useCommonTime } from './useCommonTime.ts';

export default function BillingPage() {
  const { role } = useMe();
  useCommonTime();
  const mayPay = role === 'owner' || role === 'finance';
  return (
    <>
      <PageHeader
        title="Billing"
        description="Prepaid: calls draw on the balance. Each month has a statement and an invoice that is paid already."
      />
      <Stack gap="lg">
        <Returned />
        <section className="panel balance" aria-label="Balance">
          <Balance />
          {mayPay ? (
            <TopUp />
          ) : (
            <Text size="sm" c="dimmed" m="lg">
              An owner or a finance member pays for this workspace. Your role is {role}.
            </Text>
          )}
        </section>
        {mayPay && <AutoTopup />}
        <Lists hasStatement={mayPay} />
      </Stack>
    </>
  );
}

const OF_PAYERS = [
  { value: 'statement', label: 'Statement' },
  { value: 'invoices', label: 'Invoices' },
];
const RECORDS = [
  { value: 'ledger', label: 'Ledger' },
  { value: 'payments', label: 'Payments' },
  { value: 'alerts', label: 'Alerts' },
];
const FILTERS = ['kind', 'key', 'from', 'to', 'zone', 'invoice'];

/** The statement, the ledger and the payments: one of them at a time. */
function Lists({ hasStatement }: { hasStatement: boolean }) {
  const [search, set] = useSearchState();
  const tabs = hasStatement ? [...OF_PAYERS, ...RECORDS] : RECORDS;
  const view = tabOf(tabs, search.view);
  const open = (next: string | null) =>
    set({ ...Object.fromEntries(FILTERS.map((name) => [name, undefined])), view: next ?? undefined });
  return (
    <Tabs value={view} onChange={open} keepMounted={false}>
      <TabsLine label="Records" chosen={view} tabs={tabs} mb="md" />
      {hasStatement && (
        <Tabs.Panel value="statement">
          <Statement />
        </Tabs.Panel>
      )}
      {hasStatement && (
        <Tabs.Panel value="invoices">
          <Invoices />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="ledger">
        <Ledger />
      </Tabs.Panel>
      <Tabs.Panel value="payments">
        <Payments />
      </Tabs.Panel>
      <Tabs.Panel value="alerts">
        <Alerts />
      </Tabs.Panel>
    </Tabs>
  );
}
