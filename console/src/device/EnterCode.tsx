import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../parts/Panel.tsx';
import { FormError } from '../parts/FormError.tsx';

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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onEnter(code.trim().toUpperCase());
        }}
      >
        <FormError error={error} mb="md" />
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
      </form>
    </Panel>
  );
}
