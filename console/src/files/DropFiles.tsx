import { Button, FileButton, Group, Text } from '@mantine/core';
import { useState } from 'react';

/** Accepts files by drag and drop, or by a button. */
export function DropFiles({
  isPending = false,
  isOne = false,
  accept,
  onFiles,
}: {
  isPending?: boolean;
  /** Takes a single file. */
  isOne?: boolean;
  /** The file types that the button offers, as in HTML. */
  accept?: string;
  onFiles: (files: File[]) => void;
}) {
  const [isOver, setOver] = useState(false);
  const noun = isOne ? 'file' : 'files';
  const take = (files: File[]) => files.length > 0 && onFiles(isOne ? files.slice(0, 1) : files);
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
        take([...event.dataTransfer.files]);
      }}
    >
      <Group justify="center">
        <Text c="dimmed">Drop {isOne ? 'a file' : 'files'} here, or</Text>
        <FileButton multiple={!isOne} {...(accept && { accept })} onChange={(files) => take([files ?? []].flat())}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={isPending}>
              Choose {noun}
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}
