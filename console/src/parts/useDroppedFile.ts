import { useEffect, useState } from 'react';

/** Takes a file that is dropped anywhere on the page. Returns whether one is held over it. */
export function useDroppedFile(isEnabled: boolean, onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const hold = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      // A place of its own on the page has taken it.
      if (!file || event.defaultPrevented) return;
      event.preventDefault();
      onFile(file);
    };
    document.addEventListener('dragover', hold);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', hold);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [isEnabled, onFile]);
  return isOver;
}
