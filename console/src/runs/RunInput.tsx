import { Stack, Text } from '@mantine/core';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Readable, ReadableData } from '../parts/Readable.tsx';
import type { Run } from './runEvents.ts';

type Item = { type?: string; text?: string; file_id?: string; data?: unknown };

/** The input of a run, as it was sent. */
export function InputItems({ input }: { input: unknown }) {
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
  if (item.file_id)
    return (
      <span className="id">
        {item.file_id} <CopyButton value={item.file_id} name="Copy the file’s id" />
      </span>
    );
  if (item.data !== undefined) return <ReadableData title="Data" value={item.data} />;
  return <Readable title="Text" text={item.text ?? JSON.stringify(item)} />;
}
