import { Button, Text, TextInput } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { sentenceOf } from '../../api/failure.ts';
import { useAnswer } from '../../api/hooks.ts';
import type { components } from '../../api/openapi.d.ts';
import { pageAt } from '../../parts/pageAt.ts';
import { useSearchState } from '../../parts/useSearchState.ts';
import { Status } from '../../parts/Status.tsx';
import { unitName } from '../../parts/figures.tsx';
import { withoutSecret } from '../../parts/withoutSecret.ts';
import { OfWorkspace } from './OfWorkspace.tsx';

type Place = components['schemas']['Places']['data'][number];

const QUERY_MIN = 2;

/** One search over all workspaces. It is sent by a button, because what it finds of customers is audited. */
export function Places() {
  const [{ find = '' }, setSearch] = useSearchState();
  return <Finder key={find} find={find} onFind={(text) => setSearch({ find: text || undefined })} />;
}

function Finder({ find, onFind }: { find: string; onFind: (text: string) => void }) {
  const [text, setText] = useState(find);
  const found = useAnswer(
    ['places', find],
    (signal) => api.GET('/console/v1/platform/search', { params: { query: { query: find } }, signal }),
    // Each request is audited: none is sent that nobody asked for.
    { enabled: find.length >= QUERY_MIN, staleTime: Infinity, refetchOnWindowFocus: false, retry: false },
  );
  return (
    <section className="panel places" aria-label="Find in all workspaces">
      <form
        className="places-form"
        onSubmit={(event) => {
          event.preventDefault();
          onFind(withoutSecret(text.trim()));
        }}
      >
        <TextInput
          aria-label="Find in all workspaces"
          placeholder="Workspace, mail address or any ID"
          leftSection={<MagnifyingGlassIcon />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={found.isFetching} disabled={text.trim().length < QUERY_MIN}>
          Find
        </Button>
      </form>
      <div role="status">
        {found.error && (
          <Text size="sm" className="text-bad" mt="xs">
            {sentenceOf(found.error)}
          </Text>
        )}
        {found.data && <Results places={found.data.data} />}
        {!find && (
          <p className="places-note">
            Tells whose something is, not what is in it. What is found is in the audit trail.
          </p>
        )}
      </div>
    </section>
  );
}

function Results({ places }: { places: Place[] }) {
  if (places.length === 0) return <p className="places-note">Nothing has this ID, name or address.</p>;
  return (
    <ul className="places-list">
      {places.map(({ object, id, name, workspace_id: workspace, workspace_name: of, mode }) => (
        <li key={`${object} ${id} ${workspace}`}>
          <span className="places-kind">{unitName(object)}</span>
          <OfWorkspace id={workspace} name={of} />
          {mode === 'test' && <Status tone="held" word="Test" />}
          {object !== 'workspace' && <span className="id places-id">{name || id}</span>}
          <Link {...pageAt('/operate', { tab: 'audit', ...auditOf({ object, id, workspace }) })}>Audit</Link>
        </li>
      ))}
    </ul>
  );
}

const auditOf = ({ object, id, workspace }: { object: string; id: string; workspace: string }) =>
  object === 'workspace' ? { workspace } : { subject: id };
