import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Above a list, where its address opens one of its things and that is not there: without it, such a link seems to do nothing. */
export function AbsentNote({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Alert role="alert" color="gray" mb="sm" title={title} withCloseButton closeButtonLabel="Close" onClose={onClose}>
      {children}
    </Alert>
  );
}
