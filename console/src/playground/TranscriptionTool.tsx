import { Button, FileInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CodeDrawer } from './CodeDrawer.tsx';
import { figuresOf, newId } from './conversation.ts';
import { FailureNote } from './FailureNote.tsx';
import { failureIn } from './failures.ts';
import { ModelPicker } from './ModelPicker.tsx';
import { modelNamed, priceText, useModelsOf } from './models.ts';
import { ResultList } from './ResultList.tsx';
import { sendSound } from './sendSound.ts';
import { transcriptionSnippets } from './snippets.ts';
import { shortTitle, type Transcribed } from './soundHistory.ts';
import { useKept } from './useHistory.ts';
import { useRecorder } from './useRecorder.ts';

/** Transcribes a sound file or a recording. */
export default function TranscriptionTool() {
  const models = useModelsOf('transcription');
  const [search, setSearch] = useSearchState();
  const [file, setFile] = useState<File | null>(null);
  const { features } = useMe();
  const kept = useKept<Transcribed>('transcription');
  const recorder = useRecorder(setFile);
  const model = modelNamed(models, search.model ?? '') ?? models?.[0];
  const name = model?.id ?? '';
  const transcribe = useChange((sound: File) => transcribed(name, sound), {
    onError: () => {},
    onSuccess: (item) => void kept.keep(item),
  });
  return (
    <div className="bench">
      <CodeDrawer
        label="This transcription in"
        snippets={() => transcriptionSnippets(features.api_url, name, file?.name ?? 'speech.mp3')}
      />
      <section className="bench-input" aria-label="Recording">
        <FileInput
          label="Audio"
          placeholder="Choose a file"
          accept="audio/*,video/*"
          clearable
          value={file}
          onChange={setFile}
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
        />
        <Button
          variant="default"
          fullWidth
          onClick={recorder.isRecording ? recorder.stop : () => void recorder.start()}
        >
          {recorder.isRecording ? `Stop recording (${recorder.seconds} s)` : 'Record'}
        </Button>
        <ModelPicker models={models} value={name} isLabelled onChange={(id) => setSearch({ model: id })} />
        <p className="bench-facts number">{model && priceText(model)}</p>
        {recorder.error && (
          <p role="alert" className="field-error">
            {recorder.error}
          </p>
        )}
        {transcribe.error && <FailureNote failure={failureIn(transcribe.error)} />}
        <Button
          loading={transcribe.isPending}
          disabled={!file || !model || recorder.isRecording}
          onClick={() => file && transcribe.mutate(file)}
        >
          Transcribe
        </Button>
      </section>
      <section className="bench-result" aria-label="Transcripts">
        <ResultList
          items={kept.items}
          empty={{
            drawing: 'talk',
            title: 'Nothing transcribed yet',
            text: 'Each transcript appears here with its cost, and stays in this browser until you sign out.',
          }}
          factsOf={({ fileName, model: by }) => `${fileName} · ${by}`}
          viewOf={({ text }) => (
            <div className="answer-foot">
              <p className="result-text">{text || 'No speech was recognized.'}</p>
              {text && <CopyButton value={text} name="Copy the transcript" />}
            </div>
          )}
          onRemove={({ id }) => void kept.remove(id)}
        />
      </section>
    </div>
  );
}

async function transcribed(model: string, file: File): Promise<Transcribed> {
  const begunMs = performance.now();
  const form = new FormData();
  form.set('model', model);
  form.set('file', file);
  const response = await sendSound(form);
  const { text } = (await response.json()) as { text: string };
  return {
    id: newId(),
    kind: 'transcription',
    title: shortTitle(text) || file.name,
    updatedAt: new Date().toISOString(),
    text,
    model,
    fileName: file.name,
    figures: figuresOf(response, begunMs),
  };
}
