import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import type { PublisherAgent } from './configuration.ts';

interface Opened {
  agent: PublisherAgent;
  isOpen: boolean;
  onClose: () => void;
}

const STALE = [['publisher'], ['agents']];
const MESSAGE_CHARACTERS_MAX = 1_000;

/** Takes an agent down, with what callers are told. */
export function TakeDownDialog({ isOpen, onClose, agent }: Opened) {
  return (
    <Dialog title="Take agent down" isOpen={isOpen} onClose={onClose}>
      <TakeDownForm agent={agent} onDone={onClose} />
    </Dialog>
  );
}

function TakeDownForm({ agent, onDone }: { agent: PublisherAgent; onDone: () => void }) {
  const [message, setMessage] = useState('');
  const save = useChange(
    () =>
      answerOf(
        api.POST('/v1/publisher/agents/{agent_id}/take-down', {
          params: { path: { agent_id: agent.id } },
          body: { message },
        }),
      ),
    { stale: STALE, done: 'The agent was taken down', onSuccess: onDone, onError: () => {} },
  );
  return (
    <DialogForm
      submitLabel="Take agent down"
      isDangerous
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(undefined)}
    >
      <Textarea
        label="Message to callers"
        description="Shown with each refused order, and mailed once to those who ran it lately or have a schedule of it."
        required
        autosize
        minRows={2}
        maxLength={MESSAGE_CHARACTERS_MAX}
        value={message}
        onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}

/** Deprecates an agent, or changes its last day. */
export function DeprecateDialog({ isOpen, onClose, agent }: Opened) {
  return (
    <Dialog title="Deprecate agent" isOpen={isOpen} onClose={onClose}>
      <DeprecateForm agent={agent} onDone={onClose} />
    </Dialog>
  );
}

const NOTICE_DAYS = 14;
const USUAL_DAYS = 90;
const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

function DeprecateForm({ agent, onDone }: { agent: PublisherAgent; onDone: () => void }) {
  const { deprecation } = agent;
  const [day, setDay] = useState(deprecation?.sunset_at.slice(0, 10) ?? dayIn(USUAL_DAYS));
  const [successor, setSuccessor] = useState(deprecation?.successor ?? '');
  const [message, setMessage] = useState(deprecation?.message ?? '');
  const save = useChange(
    () =>
      answerOf(
        api.POST('/v1/publisher/agents/{agent_id}/deprecate', {
          params: { path: { agent_id: agent.id } },
          body: {
            // An unchanged day keeps its time.
            sunset_at: deprecation?.sunset_at.startsWith(day) ? deprecation.sunset_at : `${day}T00:00:00Z`,
            successor: successor.trim() || null,
            message: message.trim() || null,
          },
        }),
      ),
    { stale: STALE, done: 'Callers are told of the last day', onSuccess: onDone, onError: () => {} },
  );
  return (
    <DialogForm
      submitLabel={deprecation ? 'Save' : 'Deprecate agent'}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(undefined)}
    >
      <TextInput
        type="date"
        label="Refuse orders from (UTC)"
        description={`At least ${NOTICE_DAYS} days ahead.`}
        required
        min={dayIn(NOTICE_DAYS + 1)}
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <TextInput
        label="Successor"
        description="The public agent to use instead, if there is one."
        placeholder="acme/poet-2"
        value={successor}
        onChange={({ currentTarget }) => setSuccessor(currentTarget.value)}
      />
      <Textarea
        label="Message to callers"
        autosize
        minRows={2}
        maxLength={MESSAGE_CHARACTERS_MAX}
        value={message}
        onChange={({ currentTarget }) => setMessage(currentTarget.value)}
      />
    </DialogForm>
  );
}
