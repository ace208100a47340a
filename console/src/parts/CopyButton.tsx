import { ActionIcon, Button, CopyButton as Copies, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';

/** Copies a text. With a `label` it is a full button, otherwise an icon. */
export function CopyButton({ value, label, name = 'Copy' }: { value: string; label?: string; name?: string }) {
  return (
    <Copies value={value} timeout={1_500}>
      {({ copied, copy }) => {
        const icon = copied ? <CheckIcon /> : <CopyIcon />;
        if (label) {
          return (
            <Button variant="default" flex="none" leftSection={icon} onClick={copy} aria-live="polite">
              {copied ? 'Copied' : label}
            </Button>
          );
        }
        return (
          <Tooltip label={copied ? 'Copied' : name}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? 'Copied' : name}>
              {icon}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </Copies>
  );
}
