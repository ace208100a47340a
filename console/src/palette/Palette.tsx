import './palette.css';
import { Modal } from '@mantine/core';
import { useFocusBack } from '../parts/useFocusBack.ts';
import { KeyList } from './KeyList.tsx';
import { Search } from './Search.tsx';

/** What is open over the page: the search of everything, or the list of keys. */
export type PaletteView = 'search' | 'keys';

/** The palette over the page: the search of everything, or the list of keys. */
export default function Palette({
  view,
  isOpen,
  onView,
  onClose,
}: {
  view: PaletteView;
  isOpen: boolean;
  onView: (view: PaletteView) => void;
  onClose: () => void;
}) {
  const isSearch = view === 'search';
  useFocusBack(isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={!isSearch}
      title={isSearch ? 'Search' : 'Keyboard shortcuts'}
      classNames={isSearch ? { header: 'for-readers' } : {}}
      size={isSearch ? 'lg' : 'sm'}
      padding={isSearch ? 0 : undefined}
      yOffset="12vh"
      transitionProps={{ duration: 100 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {isSearch ? <Search onDone={onClose} onKeys={() => onView('keys')} /> : <KeyList />}
    </Modal>
  );
}
