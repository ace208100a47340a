import { Button, Skeleton, Text } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { ChoiceChips } from '../parts/ChoiceChips.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { hasWords } from '../parts/hasWords.ts';
import { IconAction } from '../parts/IconAction.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { PlayButton } from './PlayButton.tsx';
import { labelsOf, soundOf, type Voice } from './voiceTypes.ts';

const KINDS = [
  { value: 'premade', label: 'Presets' },
  { value: 'cloned', label: 'Your own' },
];

/** All voices as cards, each with a button that plays it. */
export function Library() {
  const [{ q = '', kind = '' }, set] = useSearchState();
  const voices = useAnswer(['voices'], (signal) => api.GET('/voiceapi/v1/voices', { signal }), { staleTime: 60_000 });
  const words = q.trim().toLowerCase();
  const shown = voices.data?.voices.filter(
    (voice) =>
      (!kind || voice.category === kind) &&
      hasWords(`${voice.name} ${voice.voice_id} ${voice.description ?? ''} ${labelsOf(voice)}`, words),
  );
  return (
    <>
      <div className="voice-tools">
        <SearchField label="Search voices" />
        <ChoiceChips label="Kind" options={KINDS} value={kind} onChange={(value) => set({ kind: value })} />
      </div>
      {voices.error && !voices.data && <TableFailure error={voices.error} retry={() => void voices.refetch()} />}
      {shown?.length === 0 && (
        <div className="panel">
          <EmptyState
            drawing="signal"
            title={kind === 'cloned' && !words ? 'No voices of your own yet' : 'No matching voices'}
          >
            {kind === 'cloned' && !words ? 'Send samples to /voiceapi/v1/voices/add to make one.' : 'Try other words.'}
          </EmptyState>
        </div>
      )}
      <ul className="voice-cards">
        {shown?.map((voice) => (
          <VoiceCard key={voice.voice_id} voice={voice} />
        ))}
        {voices.isLoading &&
          Array.from({ length: 9 }, (_, at) => <Skeleton key={at} component="li" height={132} radius="md" />)}
      </ul>
    </>
  );
}

function VoiceCard({ voice }: { voice: Voice }) {
  const { voice_id: id, name, description, category } = voice;
  const src = soundOf(voice);
  return (
    <li className="panel voice-card">
      {src === undefined ? (
        <span className="voice-mute" title="A vendor speaks this voice: try it in the playground" />
      ) : (
        <PlayButton id={id} src={src} name={name} isLarge />
      )}
      <div className="voice-words">
        <h2>{name}</h2>
        <p>{description ?? (category === 'cloned' ? 'Your own voice' : '')}</p>
        <p className="voice-labels">{labelsOf(voice)}</p>
      </div>
      <div className="voice-card-foot">
        <span className="id voice-id">{id}</span>
        <CopyButton value={id} name={`Copy the ID of ${name}`} />
        {category === 'cloned' && <RemoveVoice voice={voice} />}
        <Button
          component={Link}
          {...pageAt('/playground', { tool: 'speech', voice: id })}
          size="compact-sm"
          variant="default"
          aria-label={`Use ${name} in the playground`}
        >
          Use
        </Button>
      </div>
    </li>
  );
}

function RemoveVoice({ voice: { voice_id: id, name } }: { voice: Voice }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useChange(
    () => answerOf(api.DELETE('/voiceapi/v1/voices/{voice_id}', { params: { path: { voice_id: id } } })),
    { stale: [['voices']], done: 'Voice removed', onSuccess: () => setOpen(false) },
  );
  return (
    <>
      <IconAction tip="Remove" name={`Remove ${name}`} onClick={() => setOpen(true)}>
        <TrashIcon />
      </IconAction>
      <ConfirmDialog
        title={`Remove ${name}?`}
        confirmLabel="Remove voice"
        isOpen={isOpen}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">The voice and its samples are deleted. What it has said stays in the history.</Text>
      </ConfirmDialog>
    </>
  );
}
