import { createContext, useContext, useEffect, type RefObject } from 'react';

/** Whether what is in a dialog keeps it open, asked whenever it is to be closed. */
type Guard = RefObject<(() => boolean) | null>;

export const CloseGuard = createContext<Guard>({ current: null });

/** Keeps the dialog around open while `keepsOpen` says so. */
export function useCloseGuard(keepsOpen: () => boolean): void {
  const guard = useContext(CloseGuard);
  useEffect(() => {
    guard.current = keepsOpen;
    return () => {
      guard.current = null;
    };
  });
}

/** Told of each text that a button copies. */
export const CopiedText = createContext<(text: string) => void>(() => {});
