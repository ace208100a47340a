import { Button, CopyButton as Copies } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { IconAction } from './IconAction.tsx';

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
          <IconAction tip={copied ? 'Copied' : name} onClick={copy}>
            {icon}
          </IconAction>
        );
      }}
    </Copies>
  );
}
