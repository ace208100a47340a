import '../parts/work.css';
import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { tabOf } from '../parts/tabOf.ts';
import { TabsLine } from '../parts/TabsLine.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CreateSession } from './CreateSession.tsx';
import { Sessions } from './Sessions.tsx';
import { UploadedFiles } from './UploadedFiles.tsx';

const VIEWS = [
  { value: 'sessions', label: 'Sessions' },
  { value: 'files', label: 'Uploaded files' },
];

export default function FilesPage() {
  const [search, setSearch] = useSearchState();
  const view = tabOf(VIEWS, search.view);
  const [isCreating, setCreating] = useState(false);
  const create = () => setCreating(true);
  return (
    <>
      <PageHeader
        title="Files and sessions"
        description="The files that runs read and write."
        actions={
          <Button variant={view === 'sessions' ? 'filled' : 'default'} onClick={create}>
            New session
          </Button>
        }
      />
      <Tabs
        value={view}
        onChange={(value) => setSearch({ view: value ?? undefined, file: undefined })}
        keepMounted={false}
      >
        <TabsLine label="What to show" chosen={view} tabs={VIEWS} mb="md" />
        <Tabs.Panel value="sessions">
          <Sessions onCreate={create} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <UploadedFiles />
        </Tabs.Panel>
      </Tabs>
      <CreateSession isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
