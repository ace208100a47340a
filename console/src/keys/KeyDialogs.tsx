import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { useTextModel } from '../api/models.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { ConfirmDialog, Dialog } from '../parts/ConfirmDialog.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { firstCalls, firstSpeechCalls } from '../parts/firstCalls.ts';
import { OneTimeSecret, SecretDialog } from '../parts/OneTimeSecret.tsx';
import { KeyForm } from './KeyForm.tsx';
import type { Key, NewKey } from './keyTypes.ts';

type Open = { isOpen: boolean; onClose: () => void };

const stale = [['keys'], ['projects'], ['overview']];

/** Creates a key and shows its secret, only once. */
export function CreateKey({ project = null, isOpen, onClose }: Open & { project?: string | null }) {
  const create = useChange((body: NewKey) => answerOf(api.POST('/console/v1/keys', { body })), {
    stale,
    onError: () => {},
  });
  return (
    <SecretDialog
      title="Create key"
      madeTitle="Your new key"
      change={create}
      isOpen={isOpen}
      onClose={onClose}
      shown={(made, close) =>
        made.key === null ? (
          <LostSecret of={made} onClose={close} />
        ) : (
          <Secret secret={made.key} scopes={made.scopes} onClose={close} />
        )
      }
    >
      <KeyForm
        project={project}
        submitLabel="Create key"
        isPending={create.isPending}
        error={create.error}
        onSubmit={(key) => create.mutate(key)}
      />
    </SecretDialog>
  );
}

/** An earlier try made the key, and its answer was lost: only a new secret can be shown. */
function LostSecret({ of: { id, scopes }, onClose }: { of: Key; onClose: () => void }) {
  const rotate = useChange(
    () =>
      answerOf(
        api.POST('/console/v1/keys/{key_id}/rotate', { params: { path: { key_id: id } }, body: { grace_seconds: 0 } }),
      ),
    { stale },
  );
  if (rotate.data?.key) return <Secret secret={rotate.data.key} scopes={scopes} onClose={onClose} />;
  return (
    <Stack>
      <Text size="sm">
        Your first try made this key, but its answer did not arrive, and its secret was lost with it. No second key was
        made.
      </Text>
      <Group justify="flex-end">
        <Button onClick={() => rotate.mutate(undefined)} loading={rotate.isPending} data-autofocus>
          Get a new secret
        </Button>
      </Group>
    </Stack>
  );
}

/** The secret of a key, with example calls. It is shown nowhere else. */
function Secret({ secret, scopes, onClose }: { secret: string; scopes: string[]; onClose: () => void }) {
  const { features } = useMe();
  const model = useTextModel();
  const snippets = [
    ...(scopes.includes('llm') ? firstCalls(features.api_url, secret, model) : []),
    ...(scopes.includes('voice') ? firstSpeechCalls(features.api_url, secret) : []),
  ];
  return (
    <OneTimeSecret secret={secret} onClose={onClose}>
      {snippets.length > 0 && <CodeSnippets snippets={snippets} label="First call in" />}
    </OneTimeSecret>
  );
}

/** Changes the name, the scopes and the limits of a key. */
export function EditKey({ of: key, isOpen, onClose }: Open & { of: Key }) {
  const change = useChange(
    (body: NewKey) => answerOf(api.PATCH('/console/v1/keys/{key_id}', { params: { path: { key_id: key.id } }, body })),
    { stale, done: 'Key saved', onSuccess: onClose, onError: () => {} },
  );
  return (
    <Dialog title={`Edit ${key.name}`} isOpen={isOpen} onClose={onClose}>
      <KeyForm
        from={key}
        submitLabel="Save"
        isPending={change.isPending}
        error={change.error}
        onSubmit={(body) => change.mutate(body)}
      />
    </Dialog>
  );
}

const GRACES = [
  { value: '0', label: 'Expires now' },
  { value: '3600', label: 'Expires in 1 hour' },
  { value: '86400', label: 'Expires in 24 hours' },
];

/** Gives a key a new secret; the earlier one may continue to work for a while. */
export function RotateKey({ of: key, isOpen, onClose }: Open & { of: Key }) {
  const [grace, setGrace] = useState<string>('3600');
  const rotate = useChange(
    () =>
      answerOf(
        api.POST('/console/v1/keys/{key_id}/rotate', {
          params: { path: { key_id: key.id } },
          body: { grace_seconds: Number(grace) },
        }),
      ),
    { stale },
  );
  return (
    <SecretDialog
      title={`Rotate ${key.name}`}
      change={rotate}
      isOpen={isOpen}
      onClose={onClose}
      shown={(made, close) => <Secret secret={made.key ?? ''} scopes={made.scopes} onClose={close} />}
    >
      <Stack>
        <Text size="sm">The key gets a new secret. Its name, limits and history stay.</Text>
        <Select
          label="Old secret"
          data={GRACES}
          value={grace}
          onChange={(value) => setGrace(value ?? '3600')}
          allowDeselect={false}
        />
        <Group justify="flex-end">
          <Button onClick={() => rotate.mutate(undefined)} loading={rotate.isPending}>
            Rotate key
          </Button>
        </Group>
      </Stack>
    </SecretDialog>
  );
}

/** Revokes a key, after showing the effects. */
export function RevokeKey({ of: key, isOpen, onClose }: Open & { of: Key }) {
  const queries = useQueryClient();
  const impact = useAnswer(
    ['keys', key.id, 'impact'],
    (signal) => api.GET('/console/v1/keys/{key_id}/impact', { params: { path: { key_id: key.id } }, signal }),
    { enabled: isOpen },
  );
  const revoke = useChange(
    () => answerOf(api.DELETE('/console/v1/keys/{key_id}', { params: { path: { key_id: key.id } } })),
    {
      done: 'Key revoked',
      onSuccess: () => {
        onClose();
        void queries.invalidateQueries({ queryKey: ['keys'] });
      },
    },
  );
  return (
    <ConfirmDialog
      title={`Revoke ${key.name}?`}
      confirmLabel="Revoke key"
      isOpen={isOpen}
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">Calls with it are refused within a second. This cannot be undone; its history stays.</Text>
      <div className="impact" aria-live="polite">
        {impact.data ? (
          <Text size="sm" component="div">
            <strong>{countText(impact.data.requests_last_day)}</strong> requests in the last day,{' '}
            <strong>{countText(impact.data.runs_open)}</strong> open runs that are cancelled, last used{' '}
            <Ago at={impact.data.last_used_at} />.
          </Text>
        ) : (
          <Text size="sm">{impact.error ? sentenceOf(impact.error) : 'Counting what it would break…'}</Text>
        )}
      </div>
    </ConfirmDialog>
  );
}
