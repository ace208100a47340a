import { useNetwork } from '@mantine/hooks';

/** Says that the browser has no network: what is shown is what came before. */
export function OfflineStrip() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <p className="offline-strip" role="status">
      You are offline. This is the last state that was loaded; it updates as soon as you are back online.
    </p>
  );
}
