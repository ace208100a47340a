import './voices.css';
import { Tabs } from '@mantine/core';
import { useEffect } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { tabOf } from '../parts/tabOf.ts';
import { TabsLine } from '../parts/TabsLine.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Library } from './Library.tsx';
import { stop } from './player.ts';
import { SpeechHistory } from './SpeechHistory.tsx';

const VIEWS = [
  { value: 'library', label: 'Library' },
  { value: 'history', label: 'History' },
];
const FILTERS = ['q', 'kind', 'voice'];

/** The voices to choose from, and what they have said. */
export default function VoicesPage() {
  const [search, set] = useSearchState();
  const view = tabOf(VIEWS, search.view);
  useEffect(() => stop, []);
  const open = (next: string | null) => {
    stop();
    set({
      ...Object.fromEntries(FILTERS.map((name) => [name, undefined])),
      view: next === 'library' ? undefined : (next ?? undefined),
    });
  };
  return (
    <>
      <PageHeader title="Voices" description="Presets and voices of your own. Listening to them is free." />
      <Tabs value={view} onChange={open} keepMounted={false}>
        <TabsLine label="Voices" chosen={view} tabs={VIEWS} mb="md" />
        <Tabs.Panel value="library">
          <Library />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <SpeechHistory />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
