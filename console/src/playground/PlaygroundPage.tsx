import '../parts/work.css';
import './playground.css';
import { Tabs, Title } from '@mantine/core';
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { useModels } from '../api/models.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { PagePending } from '../shell/PageStates.tsx';
import ChatTool from './ChatTool.tsx';
import { ActionPlace } from './frame.tsx';
import { modelNamed, type Kind } from './models.ts';
import { useVisibleHeight } from './useVisibleHeight.ts';

const TOOLS: { value: string; label: string; Tool: ComponentType; kind?: Kind }[] = [
  { value: 'chat', label: 'Chat', Tool: ChatTool, kind: 'text' },
  { value: 'voice', label: 'Voice', Tool: lazy(() => import('../voice/VoiceTool.tsx')), kind: 'realtime' },
  { value: 'speech', label: 'Speech', Tool: lazy(() => import('./SpeechTool.tsx')), kind: 'speech' },
  {
    value: 'transcription',
    label: 'Transcription',
    Tool: lazy(() => import('./TranscriptionTool.tsx')),
    kind: 'transcription',
  },
  { value: 'agent', label: 'Agent', Tool: lazy(() => import('./AgentTool.tsx')) },
];

/** Real calls of every kind, over the whole window. `?model=` opens the tool of that model with it. */
export default function PlaygroundPage() {
  const [{ tool, model }, setSearch] = useSearchState();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const height = useVisibleHeight();
  const models = useModels();
  const kind = modelNamed(models.data?.data, model ?? '')?.kind ?? 'text';
  const isTool = TOOLS.some(({ value }) => value === tool);
  // An agent brings its own model.
  const failure = tool === 'agent' || models.data ? null : models.error;
  const shown = (isTool ? tool : TOOLS.find((one) => one.kind === kind)?.value) ?? 'chat';
  useEffect(() => {
    document.title = 'Playground · Ledgerline';
  }, []);
  return (
    <Tabs
      value={shown}
      className="play"
      ref={height}
      onChange={(value) => setSearch({ tool: value ?? 'chat', model: undefined, chat: undefined, prompt: undefined })}
      keepMounted={false}
      variant="unstyled"
    >
      <div className="play-head">
        <Title order={1} tabIndex={-1}>
          Playground
        </Title>
        <Tabs.List aria-label="What to try" className="play-tabs">
          {TOOLS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} className="play-tab">
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className="play-actions" ref={setPlace} />
      </div>
      <ActionPlace value={place}>
        {TOOLS.map(({ value, Tool }) => (
          <Tabs.Panel key={value} value={value} className="play-body">
            {failure ? (
              <TableFailure error={failure} retry={() => void models.refetch()} />
            ) : (
              <Suspense fallback={<PagePending />}>
                <Tool />
              </Suspense>
            )}
          </Tabs.Panel>
        ))}
      </ActionPlace>
    </Tabs>
  );
}
