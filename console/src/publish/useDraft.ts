import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { send, sendJson } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved } from '../api/unsaved.ts';
import type { Configuration, FieldErrors, PublisherAgent } from './configuration.ts';

/** Unsaved changes, and the saved draft that they change. */
interface Unsaved {
  saved: { revision: number; draft: Configuration };
  edited: Configuration;
}

/** A draft as it is edited: its unsaved changes, which outlive the page, and the actions that save it first. */
export function useDraft(agent: PublisherAgent, draft: Configuration) {
  const queries = useQueryClient();
  const { mode, user } = useMe();
  const kept = `draft ${agent.id} of ${user.id}`;
  const [before] = useState(() => readUnsaved(kept) as Unsaved | undefined);
  const [saved, setSaved] = useState(before?.saved ?? { revision: agent.draft_revision, draft });
  const [edited, setEdited] = useState(before?.edited ?? draft);
  const [failure, setFailure] = useState<Error | null>(null);
  const path = `/v1/publisher/agents/${agent.id}`;
  const isChanged = JSON.stringify(edited) !== JSON.stringify(saved.draft);

  // Follows a draft saved elsewhere, unless it has unsaved changes here.
  useEffect(() => {
    if (isChanged || agent.draft_revision <= saved.revision) return;
    setSaved({ revision: agent.draft_revision, draft });
    setEdited(draft);
  }, [agent.draft_revision, draft, isChanged, saved.revision]);

  useEffect(() => {
    if (isChanged) keepUnsaved(kept, { saved, edited } satisfies Unsaved);
    else forgetUnsaved(kept);
  }, [kept, isChanged, saved, edited]);

  /** Saves; returns the `ETag` of the saved draft. */
  async function save(): Promise<string> {
    setFailure(null);
    if (!isChanged) return etagOf(saved.revision);
    const body = cleaned(edited);
    const { draft_revision: revision } = await sendDraft(path, body, etagOf(saved.revision));
    setSaved({ revision, draft: body });
    // Keeps edits made while the draft was being saved.
    setEdited((now) => (now === edited ? body : now));
    void queries.invalidateQueries({ queryKey: ['publisher'] });
    return etagOf(revision);
  }

  async function freeze(route: 'deploy-private' | 'submit-public'): Promise<void> {
    const etag = await save();
    // In test mode the review page has the outcomes.
    const asked = mode === 'test' && { 'x-test-review': 'wait' };
    await send(`${path}/${route}`, { method: 'POST', headers: { 'if-match': etag, ...asked } });
  }

  async function reload(): Promise<void> {
    setFailure(null);
    const fresh = await sendJson<PublisherAgent>(path);
    const read = await sendJson<Configuration>(`${path}/draft`);
    setSaved({ revision: fresh.draft_revision, draft: read });
    setEdited(read);
    await queries.invalidateQueries({ queryKey: ['publisher'] });
  }

  const stale = [['publisher']];
  const onError = setFailure;
  return {
    edited,
    saved: saved.draft,
    isChanged,
    failure,
    errors: (failure instanceof ApiFailure ? failure.fields : []) as FieldErrors,
    change: (part: Partial<Configuration>) => setEdited((before) => ({ ...before, ...part })),
    /** Shows the saved draft, without the changes. */
    reloading: useChange(reload, { onError }),
    saving: useChange(save, { onError }),
    deploying: useChange(() => freeze('deploy-private'), { stale, done: 'Deployed in this workspace', onError }),
    submitting: useChange(() => freeze('submit-public'), { stale, done: 'Submitted for review', onError }),
  };
}

export type Draft = ReturnType<typeof useDraft>;

const etagOf = (revision: number): string => `"draft-${revision}"`;

async function sendDraft(path: string, draft: Configuration, etag: string): Promise<PublisherAgent> {
  const response = await send(`${path}/draft`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'if-match': etag },
    body: JSON.stringify(draft),
  });
  return (await response.json()) as PublisherAgent;
}

// Empty lines are not prompts.
const cleaned = (draft: Configuration): Configuration => ({
  ...draft,
  example_prompts: draft.example_prompts.filter((prompt) => prompt.trim() !== ''),
});
