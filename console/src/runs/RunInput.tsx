import { Stack, Text } from '@mantine/core';
import { Panel } from '../parts/Panel.tsx';
import { Readable, ReadableData } from '../parts/Readable.tsx';
import { Conversation, turnsIn } from './Conversation.tsx';
import { FileId } from './FileId.tsx';
import type { Run } from './runEvents.ts';

type Item = { type?: string; text?: string; file_id?: string; data?: unknown };

/** The input of a run, as it was sent. */
export function InputItems({ input }: { input: unknown }) {
  const turns = turnsIn(input);
  if (turns) return <Conversation turns={turns} />;
  const items: Item[] = Array.isArray(input) ? input : [{ text: input as string }];
  return items.map((item, at) => <InputItem key={at} item={item} />);
}

/** The run's input and its metadata. */
export function RunInput({ run }: { run: Run }) {
  const pairs = Object.entries(run.metadata);
  return (
    <Panel title="Input">
      <Stack gap="sm">
        {run.input === null ? (
          <Text size="sm" c="dimmed">
            The input was deleted.
          </Text>
        ) : (
          <InputItems input={run.input} />
        )}
        {pairs.length > 0 && (
          <dl className="facts">
            {pairs.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Stack>
    </Panel>
  );
}

function InputItem({ item }: { item: Item }) {
  if (item.file_id) return <FileId id={item.file_id} />;
  if (item.data !== undefined) return <ReadableData title="Data" value={item.data} />;
  return <Readable title="Text" text={item.text ?? JSON.stringify(item)} />;
}
