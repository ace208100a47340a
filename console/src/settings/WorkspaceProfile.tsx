import { Button, FileButton, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { uploadFile } from '../files/uploadFile.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';
import { WorkspaceLogo } from '../parts/WorkspaceLogo.tsx';
import { squareOf } from './squareOf.ts';

const PROFILE = ['workspace'];

interface Change {
  name?: string;
  logo_file_id?: string | null;
  logo_is_public?: boolean;
  no_retention?: boolean;
}

const useProfileChange = (done: string, onError?: () => void) =>
  useChange((change: Change) => answerOf(api.PATCH('/platform/v1/workspace', { body: change })), {
    stale: [['me'], PROFILE],
    done,
    ...(onError && { onError }),
  });

/** The name and the logo of the workspace. */
export function WorkspaceProfile() {
  const { workspace } = useMe();
  const form = useForm({ initialValues: { name: workspace.name } });
  const rename = useProfileChange('The workspace is renamed', () => {});
  return (
    <Panel title="Name and logo" description="Members see them, and people whom you invite.">
      <Stack gap="lg">
        <Form
          error={rename.error}
          onSubmit={form.onSubmit((values) => rename.mutate(values, { onSuccess: () => form.resetDirty() }))}
        >
          <div className="setting">
            <TextInput label="Name" required maxLength={100} {...form.getInputProps('name')} />
            <Button type="submit" variant="default" loading={rename.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </div>
        </Form>
        <Logo />
      </Stack>
    </Panel>
  );
}

function Logo() {
  const { workspace } = useMe();
  const profile = useAnswer(PROFILE, (signal) => api.GET('/platform/v1/workspace', { signal }));
  const change = useProfileChange('The logo is changed');
  const upload = useChange(async (file: File) => uploadFile(await squareOf(file), 'workspace_logo'), {
    onSuccess: (id) => change.mutate({ logo_file_id: id }),
  });
  const hasLogo = workspace.logo_url !== null;
  return (
    <Stack gap="sm">
      <Group gap="md">
        <WorkspaceLogo name={workspace.name} url={workspace.logo_url} size={48} />
        <Group gap="xs">
          <FileButton accept={IMAGES} onChange={(file) => file && upload.mutate(file)}>
            {(button) => (
              <Button {...button} variant="default" loading={upload.isPending || change.isPending}>
                {hasLogo ? 'Replace logo' : 'Upload logo'}
              </Button>
            )}
          </FileButton>
          {hasLogo && (
            <Button variant="subtle" onClick={() => change.mutate({ logo_file_id: null })}>
              Remove
            </Button>
          )}
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        PNG, JPEG or WebP. It is cut to a square and made small before it is sent.
      </Text>
      <Switch
        label="Show the logo on the pages of your public agents"
        checked={profile.data?.logo_is_public ?? false}
        disabled={!profile.data || change.isPending}
        onChange={(event) => change.mutate({ logo_is_public: event.currentTarget.checked })}
      />
    </Stack>
  );
}

/** What upstreams may keep of the calls of all keys. */
export function Retention() {
  const profile = useAnswer(PROFILE, (signal) => api.GET('/platform/v1/workspace', { signal }));
  const change = useProfileChange('The rule is changed');
  return (
    <Panel title="Data policy">
      {profile.error && !profile.data ? (
        <TableFailure error={profile.error} retry={() => void profile.refetch()} />
      ) : (
        <Switch
          label="Only upstreams that keep nothing of a call"
          description="Holds for all keys within a second. Calls that no such upstream serves are refused. Without it, each key decides."
          checked={profile.data?.no_retention ?? false}
          disabled={!profile.data || change.isPending}
          onChange={(event) => change.mutate({ no_retention: event.currentTarget.checked })}
        />
      )}
    </Panel>
  );
}

const IMAGES = 'image/png,image/jpeg,image/webp';
