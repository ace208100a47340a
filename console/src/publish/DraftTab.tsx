import { Alert, Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send, sendJson } from '../api/client.ts';
import { ApiFailure, sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { Panel } from '../parts/Panel.tsx';
import type { Configuration, PublisherAgent } from './configuration.ts';
import { DraftForm, type FieldErrors } from './DraftForm.tsx';

/** Edits the draft; saves the changes, and deploys or submits the saved draft. */
export function DraftTab({ agent, draft }: { agent: PublisherAgent; draft: Configuration }) {
  const queries = useQueryClient();
  const { mode } = useMe();
  const [edited, setEdited] = useState(draft);
  const [failure, setFailure] = useState<Error | null>(null);
  const path = `/v1/publisher/agents/${agent.id}`;
  const isChanged = JSON.stringify(edited) !== JSON.stringify(draft);
  const onError = setFailure;

  /** Saves; returns the new `ETag` of the draft. */
  async function save(): Promise<string> {
    setFailure(null);
    const etag = `"draft-${agent.draft_revision}"`;
    if (!isChanged) return etag;
    const response = await send(`${path}/draft`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': etag },
      body: JSON.stringify(cleaned(edited)),
    });
    return response.headers.get('etag') ?? etag;
  }

  async function freeze(route: 'deploy-private' | 'submit-public'): Promise<void> {
    const etag = await save();
    try {
      // In test mode the review page has the outcomes.
      const asked = mode === 'test' && { 'x-test-review': 'wait' };
      await send(`${path}/${route}`, { method: 'POST', headers: { 'if-match': etag, ...asked } });
    } finally {
      // The draft is saved even when it cannot be frozen yet.
      if (!isChanged) await queries.invalidateQueries({ queryKey: ['publisher'] });
    }
  }

  const stale = [['publisher']];
  const saving = useChange(save, { stale, done: 'Saved.', onError });
  const deploying = useChange(() => freeze('deploy-private'), { stale, done: 'Deployed in this workspace.', onError });
  const submitting = useChange(() => freeze('submit-public'), { stale, done: 'Submitted for review.', onError });
  const isPending = saving.isPending || deploying.isPending || submitting.isPending;
  const fields: FieldErrors = failure instanceof ApiFailure ? failure.fields : [];
  const isInReview = agent.public_submission?.status === 'in_review';
  return (
    <Panel title="Draft" description={`Revision ${agent.draft_revision}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(undefined);
        }}
      >
        <Stack>
          {failure && (
            <Alert color="red" title={fields.length > 0 ? 'Some fields need a change' : 'This was refused'}>
              {fields.length > 0 ? 'Each has its reason beside it.' : sentenceOf(failure)}
              {failure instanceof ApiFailure && failure.code === 'draft_revision_mismatch' && (
                <Button size="xs" variant="default" mt="xs" onClick={() => void reload()}>
                  Read the draft again
                </Button>
              )}
            </Alert>
          )}
          <Notices of={agent} />
          <DraftForm draft={edited} errors={fields} onChange={setEdited} />
          <Group>
            <Button type="submit" disabled={!isChanged} loading={saving.isPending}>
              Save
            </Button>
            <Button
              variant="default"
              loading={deploying.isPending}
              disabled={isPending}
              onClick={() => deploying.mutate(undefined)}
            >
              Deploy privately
            </Button>
            <Button
              variant="default"
              loading={submitting.isPending}
              disabled={isPending || isInReview}
              onClick={() => submitting.mutate(undefined)}
            >
              {isInReview ? 'In review' : 'Submit for review'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );

  async function reload(): Promise<void> {
    setFailure(null);
    await queries.invalidateQueries({ queryKey: ['publisher'] });
    setEdited(await sendJson<Configuration>(`${path}/draft`));
  }
}

const Notices = ({ of: { notices } }: { of: PublisherAgent }) =>
  notices.map(({ code, message }) => (
    <Alert key={code} color="yellow" title="The prices">
      {message}
    </Alert>
  ));

// Empty lines are not prompts.
const cleaned = (draft: Configuration): Configuration => ({
  ...draft,
  example_prompts: draft.example_prompts.filter((prompt) => prompt.trim() !== ''),
});
