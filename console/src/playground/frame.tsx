import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { MixerHorizontalIcon } from '@radix-ui/react-icons';
import { createContext, useContext, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Sheet } from '../parts/Sheet.tsx';

/** The place in the page's head for the actions of the open tool. */
export const ActionPlace = createContext<HTMLElement | null>(null);

/** Puts a tool's actions into the page's head. */
export function ToolActions({ children }: { children: ReactNode }) {
  const place = useContext(ActionPlace);
  return place && createPortal(children, place);
}

/** An action of the head: its name is shown where there is room. */
export function HeadAction({
  icon,
  name,
  isPressed,
  onClick,
}: {
  icon: ReactNode;
  name: string;
  isPressed?: boolean;
  onClick: () => void;
}) {
  return useIsWithin('75em') ? (
    <ActionIcon variant="default" size="lg" aria-label={name} aria-pressed={isPressed} onClick={onClick}>
      {icon}
    </ActionIcon>
  ) : (
    <Button size="xs" variant="default" leftSection={icon} aria-pressed={isPressed} onClick={onClick}>
      {name}
    </Button>
  );
}

const useIsWithin = (width: string): boolean =>
  useMediaQuery(`(max-width: ${width})`, false, { getInitialValueInEffect: false }) ?? false;

/** An action of the head that opens a sheet of the same name. */
export function HeadSheet({
  icon,
  name,
  position,
  size,
  children,
}: {
  icon: ReactNode;
  name: string;
  position: 'right' | 'bottom';
  size: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, sheet] = useDisclosure();
  return (
    <>
      <ToolActions>
        <HeadAction icon={icon} name={name} onClick={sheet.open} />
      </ToolActions>
      <Sheet isOpen={isOpen} onClose={sheet.close} position={position} size={size} title={name}>
        {children(sheet.close)}
      </Sheet>
    </>
  );
}

/**
 * The work of a tool, and its settings in a column at the right; on a narrow screen they are a sheet. Work with columns of its own
 * (`isDivided`) needs a wider screen beside them.
 */
export function Workbench({
  settings,
  name,
  isDivided = false,
  children,
}: {
  settings: ReactNode;
  name: string;
  isDivided?: boolean;
  children: ReactNode;
}) {
  const isNarrow = useIsWithin(isDivided ? '75em' : '62em');
  return (
    <div className="workbench">
      <div className="workbench-main">{children}</div>
      {isNarrow ? (
        <HeadSheet icon={<MixerHorizontalIcon />} name={name} position="bottom" size="85%">
          {() => settings}
        </HeadSheet>
      ) : (
        <aside className="workbench-side" aria-label={name} tabIndex={0}>
          {settings}
        </aside>
      )}
    </div>
  );
}
