import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { DialogForm } from '../parts/DialogForm.tsx';
import type { PublisherAgent } from './configuration.ts';
import { slugOf } from './slug.ts';

/** The form of a new agent. Its name for calls follows the name until it is written by hand. */
export function NewAgent({ namespace: known }: { namespace: string | undefined }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [namespace, setNamespace] = useState(known ?? '');
  const [ownSlug, setOwnSlug] = useState<string>();
  const slug = ownSlug ?? slugOf(name);
  const create = useChange(() => sendJson<PublisherAgent>('/v1/publisher/agents', { name, namespace, slug }), {
    stale: [['publisher']],
    onSuccess: ({ id }) => void navigate({ to: `/publish/${id}` }),
    onError: () => {},
  });
  return (
    <DialogForm
      submitLabel="Create draft"
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Namespace"
          required
          value={namespace}
          onChange={(event) => setNamespace(event.currentTarget.value)}
        />
        <TextInput label="Slug" required value={slug} onChange={(event) => setOwnSlug(event.currentTarget.value)} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        Callers use <span className="id">{`${namespace || 'namespace'}/${slug || 'name'}`}</span>. Lowercase letters,
        digits and hyphens; it cannot be changed later.
      </Text>
    </DialogForm>
  );
}
