import { Button, FileInput, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { send } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { Panel } from '../parts/Panel.tsx';
import { CallCost, costIn, useModels, type Call } from './calls.tsx';
import { transcriptionSnippets } from './snippets.ts';
import { useRecorder } from './useRecorder.ts';

export default function TranscriptionTool() {
  const models = useModels('transcription');
  const { features } = useMe();
  const [model, setModel] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const recorder = useRecorder(setFile);
  const chosen = model ?? models[0] ?? '';
  const transcribe = useChange((sound: File) => transcript(chosen, sound), { onError: () => {} });
  const error = transcribe.error ?? recorder.error;
  return (
    <Stack gap="lg">
      <Panel title="Transcription">
        <Stack gap="sm">
          <Group align="flex-end">
            <FileInput
              className="grows"
              label="Sound file"
              placeholder="Choose a file"
              accept="audio/*,video/*"
              clearable
              value={file}
              onChange={setFile}
              clearButtonProps={{ 'aria-label': 'Remove the file' }}
            />
            <Button variant="default" onClick={recorder.isRecording ? recorder.stop : () => void recorder.start()}>
              {recorder.isRecording ? `Stop recording (${recorder.seconds} s)` : 'Record'}
            </Button>
          </Group>
          <Select label="Model" data={models} value={chosen || null} onChange={setModel} allowDeselect={false} />
          {error && (
            <Text role="alert" className="text-bad">
              {sentenceOf(error)}
            </Text>
          )}
          <Group>
            <Button
              loading={transcribe.isPending}
              disabled={!file || !chosen || recorder.isRecording}
              onClick={() => file && transcribe.mutate(file)}
            >
              Transcribe
            </Button>
          </Group>
          {transcribe.data && (
            <>
              <pre className="written">{transcribe.data.text || '(nothing was understood)'}</pre>
              <CallCost call={transcribe.data.call} />
            </>
          )}
        </Stack>
      </Panel>
      <Panel title="Code">
        <CodeSnippets
          snippets={transcriptionSnippets(features.api_url, chosen, file?.name ?? 'speech.mp3')}
          label="This transcription in"
        />
      </Panel>
    </Stack>
  );
}

async function transcript(model: string, file: File): Promise<{ text: string; call: Call }> {
  const begunMs = performance.now();
  const form = new FormData();
  form.set('model', model);
  form.set('file', file);
  const response = await send('/v1/audio/transcriptions', { method: 'POST', body: form });
  const { text } = (await response.json()) as { text: string };
  const requestId = response.headers.get('x-request-id') ?? '';
  return { text, call: { requestId, costUsd: costIn(response.headers), tookMs: performance.now() - begunMs } };
}
