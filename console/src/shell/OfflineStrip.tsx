import { useNetwork } from '@mantine/hooks';
import { useOldState } from '../api/outage.ts';

/** Says that what is shown came before: the browser has no network, or the service does not answer. It has room for two lines on phones. */
export function OfflineStrip() {
  const { online } = useNetwork();
  const isOld = useOldState();
  if (online && !isOld) return null;
  return (
    <p className="offline-strip" role="status">
      {online ? 'The service did not answer.' : 'You are offline.'} This page shows its last state until it can be
      updated.
    </p>
  );
}
