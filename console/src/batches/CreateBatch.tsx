import './batches.css';
import { Alert, Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { sendJson } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useTextModel } from '../api/models.ts';
import { DropFiles } from '../files/DropFiles.tsx';
import { sizeText } from '../files/sizes.ts';
import { uploadFile } from '../files/uploadFile.ts';
import { Code } from '../parts/CodeSnippets.tsx';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import type { Batch } from './batchStates.ts';
import { useFileCheck } from './checkFile.ts';
import { ENDPOINTS } from './checkLines.ts';
import { FileVerdict } from './FileVerdict.tsx';

/** Creates a batch from a local file, which is checked before it is sent. */
export function CreateBatch({
  isOpen,
  file,
  onFile,
  onClose,
}: {
  isOpen: boolean;
  file: File | null;
  onFile: (file: File | null) => void;
  onClose: () => void;
}) {
  const { check, error, isChecking, share } = useFileCheck(file);
  const navigate = useNavigate();
  const create = useChange((input: { file: File; endpoint: string }) => createBatch(input), {
    stale: [['batches'], ['files']],
    onSuccess: ({ id }) => void navigate({ to: `/batches/${id}` }),
    onError: () => {},
  });
  const endpoint = check?.errors.length === 0 ? check.endpoint : undefined;
  const failure = create.error ?? error;
  const remove = () => {
    create.reset();
    onFile(null);
  };
  return (
    <Dialog title="Create batch" isOpen={isOpen} onClose={onClose} size="lg">
      <Stack>
        {failure && <Alert color="red">{sentenceOf(failure)}</Alert>}
        {file ? (
          <>
            <ChosenFile file={file} isDisabled={create.isPending} onRemove={remove} />
            <FileVerdict of={check} isChecking={isChecking} share={share} />
          </>
        ) : (
          <ChooseFile onFile={onFile} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!file || !endpoint}
            loading={create.isPending}
            onClick={() => file && endpoint && create.mutate({ file, endpoint })}
          >
            Create batch
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function ChooseFile({ onFile }: { onFile: (file: File) => void }) {
  const model = useTextModel();
  return (
    <>
      <DropFiles
        isOne
        accept=".jsonl,application/jsonl,application/x-ndjson"
        onFiles={([file]) => file && onFile(file)}
      />
      <div>
        <Text size="sm" mb={4}>
          JSONL: one call per line, at most 50,000. Each line has a custom_id of its own.
        </Text>
        <Code code={exampleLine(model)} label="Example line" />
      </div>
    </>
  );
}

function ChosenFile({ file, isDisabled, onRemove }: { file: File; isDisabled: boolean; onRemove: () => void }) {
  return (
    <Group className="batch-file" justify="space-between" wrap="nowrap">
      <div className="batch-file-name">
        <Text size="sm" fw={500} truncate>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed">
          {sizeText(file.size)}
        </Text>
      </div>
      <CloseButton aria-label="Remove the file" disabled={isDisabled} onClick={onRemove} />
    </Group>
  );
}

export const exampleLine = (model = 'MODEL') =>
  JSON.stringify({
    custom_id: 'line-1',
    method: 'POST',
    url: ENDPOINTS[0],
    body: { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 64 },
  });

async function createBatch({ file, endpoint }: { file: File; endpoint: string }): Promise<Batch> {
  const id = await uploadFile(file, 'batch');
  return sendJson<Batch>('/v1/batches', { input_file_id: id, endpoint, completion_window: '24h' });
}
