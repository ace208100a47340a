import { Alert, Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/hooks.ts';
import type { components } from '../../api/openapi.d.ts';
import { Dialog } from '../../parts/ConfirmDialog.tsx';
import { Confirmed } from '../../parts/Confirmed.tsx';
import { DialogForm } from '../../parts/DialogForm.tsx';
import { DateTime } from '../../parts/figures.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Status } from '../../parts/Status.tsx';

type Export = components['schemas']['AuditExport'];

/** Whose audit: the workspace's, for its owners, or the platform's, for operators. */
type Place = '/console/v1/audit-export' | '/console/v1/platform/audit-export';

/** Where the audit log is written to. */
export function AuditExport({ at = '/console/v1/audit-export' }: { at?: Place }) {
  const state = useAnswer([at], (signal) => api.GET(at, { signal }));
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const present = state.data?.export ?? null;
  return (
    <Panel
      title="Export"
      description="JSON lines to a bucket of yours, each hour or day."
      actions={
        state.data && (
          <Button variant="default" onClick={() => setIsOpen(true)}>
            {present ? 'Change export' : 'Set up export'}
          </Button>
        )
      }
    >
      {present && <Present at={at} export={present} />}
      {at === '/console/v1/audit-export' && <ToSiem />}
      <Dialog title={present ? 'Change export' : 'Set up export'} isOpen={isOpen} onClose={close} size="lg">
        <Form at={at} onDone={close} />
      </Dialog>
    </Panel>
  );
}

const ToSiem = () => (
  <Text size="sm">
    For a SIEM,{' '}
    <Anchor component={Link} to="/webhooks">
      add a webhook endpoint
    </Anchor>{' '}
    that names the event <span className="id">audit.entry_recorded</span>: it gets each entry as it happens.
  </Text>
);

function Present({ at, export: present }: { at: Place; export: Export }) {
  const { target, period, exported_until, last_object, last_error } = present;
  const remove = useChange(() => answerOf(api.DELETE(at, {})), {
    stale: [[at]],
    done: 'The export has ended',
  });
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <span className="id">{target}</span>
        {last_error === null ? <Status tone="good" word="Works" /> : <Status tone="bad" word="Failed" />}
      </Group>
      {last_error !== null && <Alert color="red">{last_error}. It is tried again every five minutes.</Alert>}
      <Text size="sm">
        Each {period}, written up to <DateTime at={exported_until} />
        {last_object === null ? '.' : ', last '}
        {last_object !== null && <span className="id">{last_object}</span>}
      </Text>
      <Group>
        <Confirmed
          title="End the export?"
          confirmLabel="End export"
          change={remove}
          trigger={(ask) => (
            <Button variant="default" onClick={ask}>
              End export
            </Button>
          )}
        >
          Nothing more is written to the bucket, and its access key is forgotten here. What is written stays there.
        </Confirmed>
      </Group>
    </Stack>
  );
}

function Form({ at, onDone }: { at: Place; onDone: () => void }) {
  const form = useForm<{ url: string; period: 'hour' | 'day' }>({ initialValues: { url: '', period: 'hour' } });
  const save = useChange((body: { url: string; period: 'hour' | 'day' }) => answerOf(api.PUT(at, { body })), {
    stale: [[at]],
    done: 'The export is saved',
    onSuccess: onDone,
    onError: () => {},
  });
  return (
    <DialogForm
      submitLabel="Save export"
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <TextInput
        label="Bucket"
        type="password"
        autoComplete="off"
        required
        placeholder="https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket/prefix?region=eu-central-1"
        description="With the access key and the secret, escaped as in any address. Stored encrypted, and never shown. It needs the right to put objects alone."
        {...form.getInputProps('url')}
      />
      <Select
        label="An object for each"
        allowDeselect={false}
        data={[
          { value: 'hour', label: 'Hour' },
          { value: 'day', label: 'Day' },
        ]}
        {...form.getInputProps('period')}
      />
    </DialogForm>
  );
}
