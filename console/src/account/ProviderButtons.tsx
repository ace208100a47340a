import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { goToProvider, signInProviders } from './providers.ts';

/** A button for each provider. `onError` gets what the service answers. */
export function ProviderButtons({ onError }: { onError: (error: Error) => void }) {
  const go = useMutation({ mutationFn: goToProvider, onError });
  return signInProviders().map(({ id, name }) => (
    <Button
      key={id}
      variant="default"
      fullWidth
      loading={go.variables === id && (go.isPending || go.isSuccess)}
      onClick={() => go.mutate(id)}
    >
      Continue with {name}
    </Button>
  ));
}
