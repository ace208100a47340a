import { Drawer, type DrawerProps } from '@mantine/core';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { firstOf, markBeginning, useFocusBack } from './useFocusBack.ts';

/** A panel at an edge of the window. It begins at its first field or button, and gives the focus back when it closes. */
export function Sheet({
  isOpen,
  onClose,
  title,
  size,
  position = 'right',
  children,
}: Pick<DrawerProps, 'onClose' | 'title' | 'size' | 'position'> & { isOpen: boolean; children: ReactNode }) {
  useFocusBack(isOpen);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      {...(size !== undefined && { size })}
      position={position}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Body>{children}</Body>
    </Drawer>
  );
}

function Body({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = body.current!;
    // A field with the focus opens the keyboard of a phone over the panel.
    const isForFingers = matchMedia('(pointer: coarse)').matches;
    markBeginning(own, isForFingers ? own : (firstOf(own) ?? own));
  }, []);
  return (
    <div ref={body} tabIndex={-1} className="sheet-body">
      {children}
    </div>
  );
}
