import { Button, Select, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { usdText } from '../parts/figures.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CodeDrawer } from './CodeDrawer.tsx';
import { figuresOf, newId } from './conversation.ts';
import { FailureNote } from './FailureNote.tsx';
import { failureIn } from './failures.ts';
import { ModelPicker } from './ModelPicker.tsx';
import { modelNamed, priceText, useModelsOf } from './models.ts';
import { ResultList } from './ResultList.tsx';
import { sendText } from './sendSound.ts';
import { speechSnippets } from './snippets.ts';
import { keptSpoken, shortTitle, type Spoken } from './soundHistory.ts';
import { useKept } from './useHistory.ts';
import { useVoices } from './useVoices.ts';
import { countOf } from '../parts/totals.tsx';

/** Speaks a text. */
export default function SpeechTool() {
  const models = useModelsOf('speech');
  const [search, setSearch] = useSearchState();
  const [voice, setVoice] = useState(search.voice ?? 'alloy');
  const [text, setText] = useState(search.prompt ?? 'Hello. Every character is billed.');
  const { features } = useMe();
  const kept = useKept<Spoken>('speech');
  // Also those that are too long to be kept.
  const fresh = useRef(new Map<string, Blob>());
  const model = modelNamed(models, search.model ?? '') ?? models?.[0];
  const length = Array.from(text).length;
  const estimateUsd = length * Number(model?.pricing.input_character ?? 0);
  const body = { model: model?.id ?? '', voice, input: text };
  const speak = useChange(() => spoken(body), {
    onError: () => {},
    onSuccess: (item) => {
      fresh.current.set(item.id, item.sound!);
      void kept.keep(keptSpoken(item));
    },
  });
  return (
    <div className="bench">
      <CodeDrawer label="This speech in" snippets={() => speechSnippets(features.api_url, body)} />
      <form
        className="bench-input"
        aria-label="Speech"
        onSubmit={(event) => {
          event.preventDefault();
          speak.mutate(undefined);
        }}
      >
        <Textarea
          label="Text"
          description={`${countOf(length, 'character')}, about ${usdText(Number(estimateUsd.toFixed(9)))}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={6}
          maxRows={18}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ModelPicker models={models} value={body.model} isLabelled onChange={(id) => setSearch({ model: id })} />
        <p className="bench-facts number">{model && priceText(model)}</p>
        <VoicePicker voice={voice} onChange={setVoice} />
        {speak.error && <FailureNote failure={failureIn(speak.error)} />}
        <Button type="submit" loading={speak.isPending} disabled={!text.trim() || !model}>
          Speak
        </Button>
      </form>
      <section className="bench-result" aria-label="Speech results">
        <ResultList
          items={kept.items}
          empty={{
            drawing: 'signal',
            title: 'Nothing spoken yet',
            text: 'Each result plays here with its cost, and stays in this browser until you sign out.',
          }}
          factsOf={({ model: name, voice: by }) => `${name} · ${by}`}
          viewOf={({ id, text: said, sound }) => <SpokenView text={said} sound={sound ?? fresh.current.get(id)} />}
          onRemove={({ id }) => void kept.remove(id)}
        />
      </section>
    </div>
  );
}

function VoicePicker({ voice, onChange }: { voice: string; onChange: (voice: string) => void }) {
  return (
    <Select
      label="Voice"
      data={useVoices()}
      value={voice}
      searchable
      onChange={(value) => value && onChange(value)}
      allowDeselect={false}
    />
  );
}

function SpokenView({ text, sound }: { text: string; sound: Blob | undefined }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!sound) return undefined;
    const made = URL.createObjectURL(sound);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [sound]);
  return (
    <>
      <p className="result-text">{text}</p>
      {sound ? (
        <audio className="result-sound" controls src={url} aria-label={`Speech: ${shortTitle(text)}`} />
      ) : (
        <p className="message-note">This sound was too long to be kept.</p>
      )}
    </>
  );
}

async function spoken(body: { model: string; voice: string; input: string }): Promise<Spoken> {
  const begunMs = performance.now();
  const response = await sendText(body);
  const sound = await response.blob();
  return {
    id: newId(),
    kind: 'speech',
    title: shortTitle(body.input),
    updatedAt: new Date().toISOString(),
    text: body.input,
    model: body.model,
    voice: body.voice,
    sound,
    figures: figuresOf(response, begunMs),
  };
}
