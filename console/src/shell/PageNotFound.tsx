import { Button } from '@mantine/core';
import { EmptyState } from '../parts/EmptyState.tsx';

export default function PageNotFound() {
  return (
    <main className="page-alone">
      <EmptyState
        title="Page not found"
        order={1}
        drawing="rows"
        action={
          <Button component="a" href="/" variant="default">
            Home
          </Button>
        }
      >
        There is no page at this address. It may have moved, or it belongs to another workspace.
      </EmptyState>
    </main>
  );
}
