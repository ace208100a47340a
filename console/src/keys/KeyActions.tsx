import { ActionIcon, Menu } from '@mantine/core';
import {
  ActivityLogIcon,
  BarChartIcon,
  DotsHorizontalIcon,
  Pencil1Icon,
  ReaderIcon,
  TrashIcon,
  UpdateIcon,
} from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../api/me.ts';
import { pageAt } from '../parts/pageAt.ts';
import { EditKey, RevokeKey, RotateKey } from './KeyDialogs.tsx';
import { DeleteContents } from './LogDays.tsx';
import type { Key } from './keyTypes.ts';

/** The actions for a key. */
export function KeyActions({ of: key }: { of: Key }) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'contents' | 'revoke' | null>(null);
  const { scopes } = useMe();
  const close = () => setOpen(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${key.name}`}>
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil1Icon />} onClick={() => setOpen('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item leftSection={<UpdateIcon />} onClick={() => setOpen('rotate')}>
            Rotate
          </Menu.Item>
          <Menu.Item component={Link} {...pageAt('/requests', { key: key.id })} leftSection={<ActivityLogIcon />}>
            View requests
          </Menu.Item>
          <Menu.Item component={Link} {...pageAt('/usage', { key: key.id })} leftSection={<BarChartIcon />}>
            View usage
          </Menu.Item>
          {scopes.includes('contents') && (
            <Menu.Item leftSection={<ReaderIcon />} onClick={() => setOpen('contents')}>
              Delete prompts and answers
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<TrashIcon />} onClick={() => setOpen('revoke')}>
            Revoke
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditKey of={key} isOpen onClose={close} />}
      {open === 'rotate' && <RotateKey of={key} isOpen onClose={close} />}
      {open === 'contents' && <DeleteContents of={key} isOpen onClose={close} />}
      {open === 'revoke' && <RevokeKey of={key} isOpen onClose={close} />}
    </>
  );
}
