import '../parts/work.css';
import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { PagePending } from '../shell/PageStates.tsx';
import ChatTool from './ChatTool.tsx';

const TOOLS = [
  { value: 'chat', label: 'Chat', Tool: ChatTool },
  { value: 'voice', label: 'Voice', Tool: lazy(() => import('../voice/VoiceTool.tsx')) },
  { value: 'speech', label: 'Speech', Tool: lazy(() => import('./SpeechTool.tsx')) },
  { value: 'transcription', label: 'Transcription', Tool: lazy(() => import('./TranscriptionTool.tsx')) },
  { value: 'agent', label: 'Agent', Tool: lazy(() => import('./AgentTool.tsx')) },
];

export default function PlaygroundPage() {
  const [{ tool = 'chat' }, setSearch] = useSearchState();
  return (
    <>
      <PageHeader
        title="Playground"
        description="Real calls, paid from this workspace’s balance, with the code for each."
      />
      <Tabs value={tool} onChange={(value) => setSearch({ tool: value ?? 'chat' })} keepMounted={false}>
        <Tabs.List aria-label="What to try">
          {TOOLS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TOOLS.map(({ value, Tool }) => (
          <Tabs.Panel key={value} value={value} pt="lg">
            <Suspense fallback={<PagePending />}>
              <Tool />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
