import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../parts/Panel.tsx';
import { Form } from '../parts/Form.tsx';

/** Takes the code that a terminal shows. */
export function EnterCode({
  code: first,
  error,
  onEnter,
}: {
  code: string;
  error: unknown;
  onEnter: (code: string) => void;
}) {
  const [code, setCode] = useState(first);
  return (
    <Panel title="Enter the code of your terminal">
      <Form error={error} onSubmit={() => onEnter(code.trim().toUpperCase())}>
        <Stack>
          <TextInput
            label="Code"
            placeholder="BCDF-GHJK"
            required
            withAsterisk={false}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            data-autofocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Text size="sm">
            Only enter a code from a terminal of your own. Whoever sends you one wants a key of your workspace.
          </Text>
          <Group justify="flex-end">
            <Button type="submit">Continue</Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  );
}
