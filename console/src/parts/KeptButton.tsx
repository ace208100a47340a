import { useState, type ComponentProps, type FocusEvent, type MouseEvent } from 'react';

/**
 * A button that keeps the focus while it works, and when its own work disables it: the browser drops the focus of a disabled element to the
 * document, and a keyboard begins at the top again.
 */
export function KeptButton({
  disabled,
  type = 'button',
  onClick,
  onFocus,
  onBlur,
  ...props
}: ComponentProps<'button'>) {
  const [isFocused, setFocused] = useState(false);
  const isLoading = 'data-loading' in props && props['data-loading'] === true;
  const isKept = Boolean(disabled) && (isFocused || isLoading);
  return (
    <button
      {...props}
      type={type}
      disabled={Boolean(disabled) && !isKept}
      aria-disabled={isKept || undefined}
      // Also what Enter in a field of its form presses.
      onClick={isKept ? refuse : onClick}
      onFocus={(event: FocusEvent<HTMLButtonElement>) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event: FocusEvent<HTMLButtonElement>) => {
        setFocused(false);
        onBlur?.(event);
      }}
    />
  );
}

function refuse(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
