import '../../usage/usage.css';
import './overview.css';
import { Stack } from '@mantine/core';
import { LedgerProof } from './LedgerProof.tsx';
import { Places } from './Places.tsx';
import { Revenue } from './Revenue.tsx';
import { Troubles } from './Troubles.tsx';
import { Work } from './Work.tsx';

/** The whole platform on one page: what it earns, who is in trouble, what waits, and whether the ledger holds. */
export default function Overview() {
  return (
    <Stack gap="lg">
      <div className="overview-top">
        <LedgerProof />
        <Places />
      </div>
      <Revenue />
      <Troubles />
      <Work />
    </Stack>
  );
}
