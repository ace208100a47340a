import { Alert, Button, FileInput, Group, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useTextModel } from '../api/models.ts';
import { uploadFile } from '../files/uploadFile.ts';
import { Code } from '../parts/CodeSnippets.tsx';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import type { Batch } from './batchStates.ts';

const ENDPOINTS = ['/v1/chat/completions', '/v1/completions', '/v1/responses', '/v1/embeddings'];
const FIRST_BYTES = 65_536;

/** Creates a batch from a local file. */
export function CreateBatch({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [endpoint, setEndpoint] = useState(ENDPOINTS[0]!);
  const model = useTextModel();
  const navigate = useNavigate();
  const create = useChange((input: File) => createBatch(input, endpoint), {
    stale: [['batches'], ['files']],
    onSuccess: ({ id }) => void navigate({ to: `/batches/${id}` }),
    onError: () => {},
  });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (chosen) void endpointIn(chosen).then((found) => found && setEndpoint(found));
  };
  return (
    <Dialog title="Create batch" isOpen={isOpen} onClose={onClose} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (file) create.mutate(file);
        }}
      >
        <Stack>
          <div role="alert">{create.error && <Alert color="red">{sentenceOf(create.error)}</Alert>}</div>
          <FileInput
            label="File"
            description="JSONL: one call per line, at most 50,000"
            placeholder="Choose a file"
            accept=".jsonl,application/jsonl,application/x-ndjson"
            withAsterisk
            clearable
            value={file}
            onChange={choose}
            clearButtonProps={{ 'aria-label': 'Remove the file' }}
          />
          <Select
            label="Endpoint"
            description="The url of each line"
            data={ENDPOINTS}
            value={endpoint}
            allowDeselect={false}
            onChange={(value) => setEndpoint(value ?? ENDPOINTS[0]!)}
          />
          <div>
            <Text size="sm" fw={500} mb={4}>
              Example line
            </Text>
            <Code code={exampleLine(model)} label="Example line" />
          </div>
          <Group justify="flex-end">
            <Button type="submit" disabled={!file} loading={create.isPending}>
              Create batch
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

export const exampleLine = (model = 'MODEL') =>
  JSON.stringify({
    custom_id: 'line-1',
    method: 'POST',
    url: ENDPOINTS[0],
    body: { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 64 },
  });

async function createBatch(file: File, endpoint: string): Promise<Batch> {
  const id = await uploadFile(file, 'batch');
  return sendJson<Batch>('/v1/batches', { input_file_id: id, endpoint, completion_window: '24h' });
}

/** The endpoint of a file's first line, if a batch can call it. */
async function endpointIn(file: File): Promise<string | undefined> {
  try {
    const [line = ''] = (await file.slice(0, FIRST_BYTES).text()).split('\n');
    const { url } = JSON.parse(line) as { url?: string };
    return ENDPOINTS.find((endpoint) => url === endpoint || url === `/textapi${endpoint}`);
  } catch {
    // The service reports the fault of the file.
    return undefined;
  }
}
