import { Button, FileButton, Group, Text } from '@mantine/core';
import { useState } from 'react';

/** Accepts files by drag and drop, or by a button. */
export function DropFiles({ isPending, onFiles }: { isPending: boolean; onFiles: (files: File[]) => void }) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      className="drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onFiles(files);
      }}
    >
      <Group justify="center">
        <Text c="dimmed">Drop files here, or</Text>
        <FileButton multiple onChange={(files) => files.length > 0 && onFiles(files)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={isPending}>
              Choose files
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}
