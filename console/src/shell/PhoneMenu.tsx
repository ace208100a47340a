import { Drawer } from '@mantine/core';
import { Menu } from './Menu.tsx';

/** The menu of a phone, over the page. */
export default function PhoneMenu({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title="Menu"
      size="18rem"
      padding={0}
      styles={{ header: { paddingInline: '1rem' } }}
      closeButtonProps={{ 'aria-label': 'Close the menu' }}
    >
      <Menu onFollow={onClose} />
    </Drawer>
  );
}
