import '../parts/work.css';
import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CreateSession } from './CreateSession.tsx';
import { Sessions } from './Sessions.tsx';
import { UploadedFiles } from './UploadedFiles.tsx';

export default function FilesPage() {
  const [{ view = 'sessions' }, setSearch] = useSearchState();
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
        <Tabs.List aria-label="What to show" mb="md">
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
          <Tabs.Tab value="files">Uploaded files</Tabs.Tab>
        </Tabs.List>
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
