import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Role } from '../api/me.ts';
import type { PageEntry } from '../pages.ts';
import { EmptyState } from '../parts/EmptyState.tsx';

/** In the place of a page that is not for this person. */
export default function PageRefused({ page: { isForOperators, title, menu }, role }: { page: PageEntry; role: Role }) {
  return (
    <EmptyState
      title={isForOperators ? 'This page is for operators' : (title ?? menu?.label ?? 'Not for your role')}
      order={1}
      drawing="key"
      action={
        <Button component={Link} to="/" variant="default">
          Home
        </Button>
      }
    >
      {isForOperators
        ? 'Operators run this installation. Ask one of them for what you need, or to make you an operator.'
        : `Your role in this workspace, ${role}, does not include this page. Ask an owner to change it.`}
    </EmptyState>
  );
}
