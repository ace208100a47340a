import { Suspense, useState, type ComponentProps, type ComponentType, type LazyExoticComponent } from 'react';

/** What a menu that is loaded late gets: its button, and whether it opens at once. */
export interface LateMenuProps {
  button: ComponentProps<'button'>;
}

/**
 * A button whose menu is loaded when it is first pressed: menus and what places them are a fifth of the first load otherwise. `load` is
 * called early too, when the pointer comes near.
 */
export function MenuButton<Props extends LateMenuProps>({
  menu: LateMenu,
  load,
  ...props
}: Props & { menu: LazyExoticComponent<ComponentType<Props>>; load: () => Promise<unknown> }) {
  const [isWanted, setIsWanted] = useState(false);
  const closed = (
    <button
      {...props.button}
      type="button"
      aria-haspopup="menu"
      aria-expanded={isWanted}
      onPointerEnter={() => void load().catch(() => undefined)}
      onClick={() => setIsWanted(true)}
    />
  );
  if (!isWanted) return closed;
  const Loaded = LateMenu as unknown as ComponentType<LateMenuProps>;
  return (
    <Suspense fallback={closed}>
      <Loaded {...props} />
    </Suspense>
  );
}
