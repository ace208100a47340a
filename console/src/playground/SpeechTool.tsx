import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { send } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { Panel } from '../parts/Panel.tsx';
import { CallCost, costIn, useModels, useVoices, type Call } from './calls.tsx';
import { speechSnippets } from './snippets.ts';

export default function SpeechTool() {
  const models = useModels('speech');
  const voices = useVoices();
  const { features } = useMe();
  const [model, setModel] = useState<string | null>(null);
  const [voice, setVoice] = useState('alloy');
  const [text, setText] = useState('Hello. Every character is billed.');
  const chosen = model ?? models[0] ?? '';
  const body = { model: chosen, voice, input: text };
  const speak = useChange(() => speech(body), { onError: () => {} });
  const url = speak.data?.url;
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url]);
  return (
    <Stack gap="lg">
      <Panel title="Speech">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            speak.mutate(undefined);
          }}
        >
          <Stack gap="sm">
            <Textarea
              label="Text"
              description={`${Array.from(text).length} characters`}
              autosize
              minRows={3}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Group grow preventGrowOverflow={false}>
              <Select label="Model" data={models} value={chosen || null} onChange={setModel} allowDeselect={false} />
              <Select
                label="Voice"
                data={voices}
                value={voice}
                onChange={(value) => setVoice(value ?? 'alloy')}
                allowDeselect={false}
              />
            </Group>
            {speak.error && (
              <Text role="alert" className="text-bad">
                {sentenceOf(speak.error)}
              </Text>
            )}
            <Group>
              <Button type="submit" loading={speak.isPending} disabled={!text.trim() || !chosen}>
                Speak
              </Button>
            </Group>
          </Stack>
        </form>
        {speak.data && (
          <Stack gap="xs" mt="md">
            <audio className="file-sound" controls src={speak.data.url} aria-label="The spoken text" />
            <CallCost call={speak.data.call} />
          </Stack>
        )}
      </Panel>
      <Panel title="Code">
        <CodeSnippets snippets={speechSnippets(features.api_url, body)} label="This speech in" />
      </Panel>
    </Stack>
  );
}

async function speech(body: object): Promise<{ url: string; call: Call }> {
  const begunMs = performance.now();
  const response = await send('/v1/audio/speech', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const sound = await response.blob();
  const requestId = response.headers.get('x-request-id') ?? '';
  return {
    url: URL.createObjectURL(sound),
    call: { requestId, costUsd: costIn(response.headers), tookMs: performance.now() - begunMs },
  };
}
