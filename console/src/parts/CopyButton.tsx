import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { useContext, useEffect } from 'react';
import { CopiedText } from './closeGuard.ts';
import { IconAction } from './IconAction.tsx';

// Browsers copy for pages with TLS or of this machine alone.
const FAILED = 'Not copied: select the text and copy it';

/** Copies a text. With a `label` it is a full button, otherwise an icon. */
export function CopyButton({ value, label, name = 'Copy' }: { value: string; label?: string; name?: string }) {
  const { copied, copy, error } = useClipboard({ timeout: 1_500 });
  const note = useContext(CopiedText);
  useEffect(() => {
    if (copied) note(value);
  }, [copied]);
  const icon = copied ? <CheckIcon /> : <CopyIcon />;
  if (label) {
    return (
      <Button variant="default" flex="none" leftSection={icon} onClick={() => copy(value)} aria-live="polite">
        {copied ? 'Copied' : error ? 'Select and copy it' : label}
      </Button>
    );
  }
  return (
    <IconAction tip={copied ? 'Copied' : error ? FAILED : name} onClick={() => copy(value)}>
      {icon}
    </IconAction>
  );
}
