import '../parts/work.css';
import { Center, Skeleton, Stack, Text } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { PluginPanel } from './PluginPanel.tsx';

/** The plugins' needs from the workspace: secrets, and sign-ins. */
export default function PluginsPage() {
  const mayWrite = useMe().scopes.includes('manage');
  const [{ plugin: wanted }] = useSearchState();
  const plugins = useAnswer(['plugins'], (signal) => api.GET('/v1/plugins', { signal }));
  if (plugins.error && !plugins.data) {
    const list = { path: '/agents', name: 'All agents' };
    return <PageFailure title="Plugins" id="" error={plugins.error} retry={() => void plugins.refetch()} list={list} />;
  }
  // The plugin that a run asks for comes first.
  const sorted = plugins.data?.data.toSorted(
    (one, other) => Number(other.plugin_id === wanted) - Number(one.plugin_id === wanted),
  );
  return (
    <>
      <PageHeader
        title="Plugins"
        description="Tools of others that agents use for you. What you give to one serves all agents that use it; neither they nor their publishers see it."
      />
      {!sorted && <Skeleton height={240} />}
      {sorted?.length === 0 && (
        <Center className="panel" p="xl" mih={160}>
          <Text c="dimmed">No plugin needs anything of you.</Text>
        </Center>
      )}
      <Stack gap="lg">
        {sorted?.map((plugin) => (
          <PluginPanel key={plugin.plugin_id} plugin={plugin} mayWrite={mayWrite} />
        ))}
      </Stack>
    </>
  );
}
