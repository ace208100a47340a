import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { ApiFailure, sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
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
  const errorOf = (path: string) =>
    create.error instanceof ApiFailure ? create.error.fields.find((field) => field.path === path)?.message : undefined;
  const isOfField = ['name', 'namespace', 'slug'].some((path) => errorOf(path));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(undefined);
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          data-autofocus
          value={name}
          error={errorOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SimpleGrid cols={2}>
          <TextInput
            label="Namespace"
            required
            value={namespace}
            error={errorOf('namespace')}
            onChange={(event) => setNamespace(event.currentTarget.value)}
          />
          <TextInput
            label="Slug"
            required
            value={slug}
            error={errorOf('slug')}
            onChange={(event) => setOwnSlug(event.currentTarget.value)}
          />
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          Callers use <span className="id">{`${namespace || 'namespace'}/${slug || 'name'}`}</span>. Lowercase letters,
          digits and hyphens; it cannot be changed later.
        </Text>
        {create.error && !isOfField && (
          <Text role="alert" size="sm" className="text-bad">
            {sentenceOf(create.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create draft
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
