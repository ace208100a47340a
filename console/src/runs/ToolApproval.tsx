import { Button, Group, JsonInput, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { SchemaForm } from '../agents/SchemaForm.tsx';
import { fieldsOf, objectIn } from '../agents/schemaFields.ts';
import { usdText } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';
import { ReadableData } from '../parts/Readable.tsx';
import { Deadline } from './AskedQuestion.tsx';
import type { RequiredAction, Run } from './runEvents.ts';
import { useActionAnswer } from './useActionAnswer.ts';
import { capitalised } from '../parts/capitalised.ts';

/** The call of a tool that waits for a decision: approve it, change its arguments first, or refuse it with a reason. */
export function ToolApproval({ run, action, place }: { run: Run; action: RequiredAction; place: string }) {
  const answer = useActionAnswer(run, action);
  const [mode, setMode] = useState<'view' | 'edit' | 'refuse'>('view');
  const args = action.arguments ?? {};
  return (
    <Panel
      title={`Approve ${action.name}${place}`}
      description="The agent asks before it uses this tool. Waiting costs nothing."
    >
      <Stack gap="sm">
        {mode !== 'edit' && <ReadableData title="Arguments" value={args} />}
        <Cost action={action} />
        {mode === 'view' && (
          <Form error={answer.error} onSubmit={() => answer.send({ decision: 'approve' })}>
            <Group gap="xs">
              <Button type="submit" loading={answer.isPending}>
                Approve
              </Button>
              <Button variant="default" onClick={() => setMode('edit')}>
                Edit
              </Button>
              <Button variant="default" onClick={() => setMode('refuse')}>
                Refuse
              </Button>
            </Group>
          </Form>
        )}
        {mode === 'edit' && <EditedCall action={action} answer={answer} onBack={() => setMode('view')} />}
        {mode === 'refuse' && <Refusal answer={answer} onBack={() => setMode('view')} />}
        <Deadline action={action} />
      </Stack>
    </Panel>
  );
}

function Cost({ action: { expected_cost_usd: expected, maximum_cost_usd: most } }: { action: RequiredAction }) {
  const parts = [
    ...(typeof expected === 'number' ? [`Costs about ${usdText(expected)}`] : []),
    ...(typeof most === 'number' && most !== expected ? [`at most ${usdText(most)}`] : []),
  ];
  const text = parts.join(', ');
  return (
    <Text size="sm" c="dimmed">
      {text === '' ? 'Its cost is not known before.' : `${capitalised(text)}.`}
    </Text>
  );
}

type Answer = ReturnType<typeof useActionAnswer>;

function EditedCall({ action, answer, onBack }: { action: RequiredAction; answer: Answer; onBack: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(action.arguments ?? {}, null, 2));
  const schema = action.input_schema;
  const hasFields = schema && fieldsOf(schema).length > 0;
  const changed = objectIn(text);
  return (
    <Form
      noValidate
      error={answer.error}
      onSubmit={() => {
        if (changed) answer.send({ decision: 'approve', arguments: changed });
      }}
    >
      <Stack gap="sm">
        {hasFields ? (
          <SchemaForm schema={schema} text={text} onChange={setText} />
        ) : (
          <JsonInput
            label="Arguments"
            autosize
            minRows={4}
            validationError="This is not JSON"
            value={text}
            onChange={setText}
          />
        )}
        <Group gap="xs">
          <Button type="submit" loading={answer.isPending} disabled={!changed}>
            Approve with changes
          </Button>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function Refusal({ answer, onBack }: { answer: Answer; onBack: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <Form
      error={answer.error}
      onSubmit={() => answer.send({ decision: 'refuse', ...(reason.trim() !== '' && { reason: reason.trim() }) })}
    >
      <Stack gap="sm">
        <Textarea
          label="Reason"
          description="The agent reads it. The tool is not used, and nothing is billed for it"
          autosize
          minRows={2}
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button type="submit" color="red.8" loading={answer.isPending}>
            Refuse
          </Button>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
