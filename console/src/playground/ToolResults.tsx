import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Message } from './conversation.ts';

/** The results of the model's tool calls, entered by the person. */
export function ToolResults({
  message,
  onAnswer,
}: {
  message: Message | undefined;
  onAnswer: (results: Message[]) => void;
}) {
  const [results, setResults] = useState<Record<string, string>>({});
  const calls = message?.toolCalls ?? [];
  if (calls.length === 0) return null;
  return (
    <form
      className="tool-results"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(calls.map(({ id }) => ({ role: 'tool', toolCallId: id, content: results[id] ?? '' })));
      }}
    >
      {calls.map(({ id, name }) => (
        <Textarea
          key={id}
          label={`Result of ${name}`}
          autosize
          minRows={2}
          value={results[id] ?? ''}
          onChange={(event) => setResults({ ...results, [id]: event.currentTarget.value })}
        />
      ))}
      <Button type="submit" size="xs">
        Send results
      </Button>
    </form>
  );
}
