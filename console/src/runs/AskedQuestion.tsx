import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { SchemaForm } from '../agents/SchemaForm.tsx';
import { defaultsOf, objectIn } from '../agents/schemaFields.ts';
import { DateTime } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';
import { Markdown } from '../parts/Markdown.tsx';
import { Panel } from '../parts/Panel.tsx';
import type { RequiredAction, Run } from './runEvents.ts';
import { useActionAnswer } from './useActionAnswer.ts';

/** A question of the agent: answered by a text, or by a form made of its schema. */
export function AskedQuestion({ run, action, place }: { run: Run; action: RequiredAction; place: string }) {
  const answer = useActionAnswer(run, action);
  const { question, schema, default: chosen } = action;
  return (
    <Panel title={`The agent asks${place}`} description="The run is waiting for your answer. Waiting costs nothing.">
      <Stack gap="sm">
        {question && <Markdown text={question} />}
        {schema ? (
          <FormAnswer schema={schema} chosen={chosen} answer={answer} />
        ) : (
          <TextAnswer chosen={typeof chosen === 'string' ? chosen : ''} answer={answer} />
        )}
        <Deadline action={action} />
      </Stack>
    </Panel>
  );
}

type Answer = ReturnType<typeof useActionAnswer>;

function FormAnswer({ schema, chosen, answer }: { schema: object; chosen: unknown; answer: Answer }) {
  const [text, setText] = useState(() => JSON.stringify({ ...defaultsOf(schema), ...(chosen as object | undefined) }));
  return (
    <Form noValidate error={answer.error} onSubmit={() => answer.send({ data: objectIn(text) ?? {} })}>
      <Stack gap="sm">
        <SchemaForm schema={schema} text={text} onChange={setText} />
        <Group>
          <Button type="submit" loading={answer.isPending}>
            Answer
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function TextAnswer({ chosen, answer }: { chosen: string; answer: Answer }) {
  const [text, setText] = useState(chosen);
  return (
    <Form error={answer.error} onSubmit={() => answer.send({ text })}>
      <Stack gap="sm">
        <Textarea
          label="Your answer"
          data-param="text"
          autosize
          minRows={2}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          required
        />
        <Group>
          <Button type="submit" loading={answer.isPending} disabled={text.trim() === ''}>
            Answer
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** Until when the answer is waited for. */
export function Deadline({ action: { expires_at: at, default: chosen } }: { action: RequiredAction }) {
  if (!at) return null;
  return (
    <Text size="xs" c="dimmed">
      {chosen === undefined ? 'The run ends without an answer by ' : 'The default is taken without an answer by '}
      <DateTime at={at} />.
    </Text>
  );
}
