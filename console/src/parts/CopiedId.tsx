import { Group } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';

/** An id, or another text for programs, with a button that copies it. */
export function CopiedId({ id, name }: { id: string; name: string }) {
  return (
    <Group component="span" gap={4} wrap="nowrap" align="center">
      <span className="id">{id}</span>
      <CopyButton value={id} name={name} />
    </Group>
  );
}
