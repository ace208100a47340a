import { Suspense, useState, type ComponentProps, type ReactNode } from 'react';

/** What a menu that is loaded late gets: its button. */
export interface LateMenuProps {
  button: ComponentProps<'button'>;
}

/**
 * A button whose menu, `children`, is loaded when it is first pressed: menus and what places them are a fifth of the first load otherwise.
 * `load` is called early too, when the pointer comes near.
 */
export function MenuButton({
  button,
  load,
  children,
}: LateMenuProps & { load: () => Promise<unknown>; children: ReactNode }) {
  const [isWanted, setIsWanted] = useState(false);
  const closed = (
    <button
      {...button}
      type="button"
      aria-haspopup="menu"
      aria-expanded={isWanted}
      onPointerEnter={() => void load().catch(() => undefined)}
      onClick={() => setIsWanted(true)}
    />
  );
  return isWanted ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}
