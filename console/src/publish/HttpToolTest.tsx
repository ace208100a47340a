import '../parts/work.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { SchemaForm } from '../agents/SchemaForm.tsx';
import { objectIn } from '../agents/schemaFields.ts';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { durationText } from '../parts/figures.tsx';
import { indented } from '../parts/readable.ts';
import { Status } from '../parts/Status.tsx';
import type { HttpTool } from './configuration.ts';
import { Form } from '../parts/Form.tsx';

type Tested = components['schemas']['HttpToolTest'];

/** Sends one signed call to a tool of the draft, which is saved before, and shows what was sent and received. */
export function TestHttpTool({
  agentId,
  tool,
  isOpen,
  onSave,
  onClose,
}: {
  agentId: string;
  tool: HttpTool;
  isOpen: boolean;
  onSave: () => Promise<unknown>;
  onClose: () => void;
}) {
  const [text, setText] = useState('{}');
  const test = useChange(
    async (args: Record<string, unknown>) => {
      await onSave();
      const params = { path: { agent_id: agentId } };
      const body = { name: tool.name, arguments: args };
      return answerOf(api.POST('/v1/publisher/agents/{agent_id}/http_tools/test', { params, body }));
    },
    { onError: () => {} },
  );
  return (
    <Dialog title={`Test ${tool.name}`} isOpen={isOpen} onClose={onClose} size="lg">
      <Form aria-label="Test call" error={test.error} onSubmit={() => test.mutate(objectIn(text) ?? {})}>
        <Stack>
          <Text size="sm">
            Sends one signed call to <span className="id">{tool.url}</span>. It costs nothing and is not repeated.
          </Text>
          <SchemaForm schema={tool.input_schema} text={text} onChange={setText} />
          <Group justify="flex-end">
            <Button type="submit" loading={test.isPending}>
              Send test call
            </Button>
          </Group>
        </Stack>
      </Form>
      {test.data && <Outcome tested={test.data} />}
    </Dialog>
  );
}

function Outcome({ tested: { request, response, progress, result, duration_ms: ms } }: { tested: Tested }) {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack gap="sm" mt="md" aria-live="polite">
      <Group justify="space-between">
        <Status tone={result.is_error ? 'bad' : 'good'} word={wordOf(response, result)} />
        <Text size="sm" c="dimmed">
          {durationText(ms)}
        </Text>
      </Group>
      {progress.length > 0 && (
        <Part
          title="Progress"
          text={progress.map(({ message, percentage: share }) => progressLine(message, share)).join('\n')}
        />
      )}
      <Part title="What the model reads" text={indented(result.text)} />
      {response && response.body !== result.text && <Part title="Answer" text={response.body} />}
      <Part title="Request" text={[`POST ${request.url}`, ...headers, '', indented(request.body)].join('\n')} />
    </Stack>
  );
}

const wordOf = (response: Tested['response'], { is_error: isError }: Tested['result']): string =>
  response === null ? 'No answer' : `${response.status}${isError ? ', an error' : ''}`;

const progressLine = (message: string, percentage: number | null): string =>
  percentage === null ? message : `${percentage} % ${message}`;

const Part = ({ title, text }: { title: string; text: string }) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {title}
    </Text>
    <pre className="code file-text" tabIndex={0} role="group" aria-label={title}>
      {text}
    </pre>
  </div>
);
