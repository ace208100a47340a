import '../parts/work.css';
import './plugins.css';
import { Skeleton } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { EmptyState } from '../parts/EmptyState.tsx';
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
        description="Outside tools that agents use on your behalf. Agents and publishers never see your secrets."
      />
      {!sorted && <Skeleton height={240} />}
      {sorted?.length === 0 && (
        <div className="panel">
          <EmptyState drawing="run" title="No plugins yet">
            Plugins that need a secret or a sign-in of yours appear here.
          </EmptyState>
        </div>
      )}
      <div className="plugins">
        {sorted?.map((plugin) => (
          <PluginPanel key={plugin.plugin_id} plugin={plugin} mayWrite={mayWrite} />
        ))}
      </div>
    </>
  );
}
