import './voices.css';
import { Tabs } from '@mantine/core';
import { useEffect } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { tabOf } from '../parts/tabOf.ts';
import { useSearchState } from '../parts/useSearchState.ts';
import { Library } from './Library.tsx';
import { stop } from './player.ts';
import { SpeechHistory } from './SpeechHistory.tsx';

const VIEWS = ['library', 'history'];
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
        <Tabs.List aria-label="Voices" mb="md">
          <Tabs.Tab value="library">Library</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
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
