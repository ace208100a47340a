import { useNetwork } from '@mantine/hooks';

/** Says that the browser has no network: what is shown is what came before. */
export function OfflineStrip() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <p className="offline-strip" role="status">
      No network. What you see is from before; it refreshes by itself as soon as you are online again.
    </p>
  );
}
