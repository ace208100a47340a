import { Button, Group, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { usdInput } from '../parts/figures.tsx';
import type { Run } from './runEvents.ts';

/** A button that repeats an ended run, as a whole or from a step: earlier results are reused. */
export function Rerun({ run, step }: { run: Run; step: { id: string; label: string } | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {step ? (
        <Group>
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Rerun from here
          </Button>
        </Group>
      ) : (
        <Button onClick={() => setOpen(true)}>Rerun</Button>
      )}
      <Dialog
        title={step ? `Rerun from ${step.label}` : 'Rerun from the beginning'}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <RerunForm run={run} stepId={step?.id ?? FIRST_STEP} />
      </Dialog>
    </>
  );
}

const FIRST_STEP = 1;

function RerunForm({ run, stepId }: { run: Run; stepId: string | number }) {
  const navigate = useNavigate();
  const text = typeof run.input === 'string' ? run.input : null;
  const [input, setInput] = useState(text ?? '');
  const [version, setVersion] = useState('');
  const [visibility, setVisibility] = useState<string | null>(null);
  const [maxUsd, setMaxUsd] = useState<number | string>(usdInput(run.max_cost_usd));
  const rerun = useChange((body: object) => sendJson<Run>(`/v1/runs/${run.id}/rerun`, body), {
    stale: [['runs']],
    onError: () => {},
    onSuccess: ({ id }) => void navigate({ to: `/runs/${id}` }),
  });
  const onSubmit = () =>
    rerun.mutate({
      from_step: stepId,
      max_cost_usd: Number(maxUsd),
      ...(text !== null && input !== text && { input }),
      ...(version && { version }),
      ...(visibility && { visibility }),
    });
  return (
    <DialogForm submitLabel="Start rerun" isPending={rerun.isPending} error={rerun.error} onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text size="sm">
          {stepId === FIRST_STEP ? 'Every step runs again, and is billed.' : costOf(run)} The rerun works in a copy of
          the session as it was then.
        </Text>
        {text !== null && (
          <Textarea
            label="Input"
            autosize
            minRows={2}
            maxRows={8}
            value={input}
            onChange={(event) => setInput(event.currentTarget.value)}
            required
          />
        )}
        <NumberInput label="Spend limit" value={maxUsd} onChange={setMaxUsd} decimalScale={9} prefix="$" hideControls />
        <Group grow align="flex-start">
          <TextInput
            label="Version"
            placeholder={run.version}
            value={version}
            onChange={(event) => setVersion(event.currentTarget.value)}
          />
          <Select
            label="Deployment"
            placeholder="Same as this run"
            data={['public', 'private']}
            value={visibility}
            onChange={setVisibility}
            clearable
            clearButtonProps={{ 'aria-label': 'Same as this run' }}
          />
        </Group>
      </Stack>
    </DialogForm>
  );
}

const costOf = ({ status }: Run) =>
  status === 'failed'
    ? 'Earlier steps are reused, at what they cost then: this run was not billed.'
    : 'Earlier steps are reused and cost nothing.';
