import { Alert, Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CheckIcon } from '@radix-ui/react-icons';
import { ApiFailure, sentenceOf } from '../api/failure.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import type { Configuration, DraftPart, PublisherAgent } from './configuration.ts';
import { DraftPreview } from './DraftPreview.tsx';
import { fieldAt } from './fields.ts';
import { PriceStep } from './PriceStep.tsx';
import { STEPS, stepsWith, type StepName } from './steps.ts';
import { ToolsStep } from './ToolsStep.tsx';
import { TryStep } from './TryStep.tsx';
import { useDraft, type Draft } from './useDraft.ts';
import type { Quantities } from './useEstimate.ts';
import { WhatStep } from './WhatStep.tsx';

const FORM = 'draft-form';

/** The draft in four steps, beside the card that callers will see and what a run earns. */
export function DraftTab({ agent, draft: read }: { agent: PublisherAgent; draft: Configuration }) {
  const draft = useDraft(agent, read);
  const [quantities, setQuantities] = useState<Quantities>();
  const [{ step: asked, field }, setSearch] = useSearchState();
  useField(field);
  const step = STEPS.find(({ name }) => name === asked)?.name ?? 'what';
  useRefusedField(draft, step);
  const go = (name: StepName) => {
    // A try runs the saved draft.
    if (draft.isChanged) draft.saving.mutate(undefined);
    setSearch({ step: name, field: undefined });
  };
  const part: DraftPart = {
    draft: draft.edited,
    errorOf: (place) => errorAt(draft, place),
    onChange: draft.change,
  };
  return (
    <div className="draft">
      <div className="panel">
        <Steps step={step} draft={draft} onGo={go} />
        <div className="draft-fields">
          <Failure draft={draft} />
          {agent.notices.map(({ code, message }) => (
            <Alert key={code} color="yellow" title="Prices">
              {message}
            </Alert>
          ))}
          {step === 'try' ? (
            <>
              <TryNote draft={draft} />
              <TryStep agent={agent} draft={draft.saved} />
            </>
          ) : (
            <form
              id={FORM}
              aria-label="Draft"
              onSubmit={(event) => {
                event.preventDefault();
                draft.saving.mutate(undefined);
              }}
            >
              {step === 'what' && <WhatStep {...part} />}
              {step === 'tools' && (
                <ToolsStep {...part} agentId={agent.id} onSave={() => draft.saving.mutateAsync(undefined)} />
              )}
              {step === 'price' && (
                <PriceStep agentId={agent.id} quantities={quantities} onQuantities={setQuantities} {...part} />
              )}
            </form>
          )}
        </div>
        <Foot agent={agent} draft={draft} step={step} onGo={go} />
      </div>
      <DraftPreview agent={agent} draft={draft.edited} quantities={quantities} />
    </div>
  );
}

/** Focuses the control of the member that the address names, as links of a review's findings do. */
function useField(member: string | undefined): void {
  useEffect(() => {
    if (member === undefined) return;
    const { label } = fieldAt(`/${member}`);
    const labels = [...document.querySelectorAll<HTMLLabelElement>('form[aria-label="Draft"] label')];
    const control = labels.find(({ textContent }) => textContent.startsWith(label))?.control;
    control?.scrollIntoView({ block: 'center' });
    control?.focus();
  }, [member]);
}

/** Goes to the first field that was refused, in this step or else in the first one that has such a field. */
function useRefusedField({ failure, errors }: Draft, step: StepName): void {
  const [, setSearch] = useSearchState();
  const seen = useRef<Error>(null);
  useEffect(() => {
    const wrong = stepsWith(errors);
    if (!failure || seen.current === failure || wrong.length === 0) return;
    if (!wrong.includes(step)) return setSearch({ step: wrong[0], field: undefined });
    seen.current = failure;
    document.querySelector<HTMLElement>(`#${FORM} [aria-invalid="true"]`)?.focus();
  }, [failure, errors, step, setSearch]);
}

function errorAt({ errors }: Draft, place: string): string | undefined {
  const found = errors.filter(({ path }) => path === place || path.startsWith(`${place}.`));
  return found.map(({ message }) => message).join('; ') || undefined;
}

function Steps({ step, draft, onGo }: { step: StepName; draft: Draft; onGo: (name: StepName) => void }) {
  const wrong = stepsWith(draft.errors);
  const place = STEPS.findIndex(({ name }) => name === step);
  return (
    <ol className="draft-steps" aria-label="Steps">
      {STEPS.map(({ name, label, hint }, at) => (
        <li key={name}>
          <button
            type="button"
            className="draft-step"
            aria-current={name === step ? 'step' : undefined}
            data-wrong={wrong.includes(name) || undefined}
            onClick={() => onGo(name)}
          >
            <span className="draft-step-number" data-done={at < place || undefined}>
              {wrong.includes(name) ? '!' : at < place ? <CheckIcon aria-hidden /> : at + 1}
            </span>
            <span>
              {label}
              {wrong.includes(name) && <span className="for-readers">, needs a change</span>}
              <span className="draft-step-hint">{hint}</span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Failure({ draft: { failure, errors, reloading } }: { draft: Draft }) {
  const [, setSearch] = useSearchState();
  if (!failure) return null;
  const wrong = STEPS.filter(({ name }) => stepsWith(errors).includes(name));
  return (
    <Alert color="red" title={errors.length > 0 ? 'Some fields need a change' : 'This was refused'}>
      {errors.length === 0 && sentenceOf(failure)}
      {errors.length > 0 && (
        <>
          Each has its reason beside it:{' '}
          {wrong.map(({ name, label }, at) => (
            <span key={name}>
              {at > 0 && ', '}
              <button type="button" className="text-button" onClick={() => setSearch({ step: name })}>
                {label}
              </button>
            </span>
          ))}
        </>
      )}
      {failure instanceof ApiFailure && failure.code === 'draft_revision_mismatch' && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          loading={reloading.isPending}
          onClick={() => reloading.mutate(undefined)}
        >
          Load the saved draft
        </Button>
      )}
    </Alert>
  );
}

const TryNote = ({ draft }: { draft: Draft }) => (
  <p className="draft-note">
    {draft.saving.isPending
      ? 'Saving…'
      : draft.isChanged
        ? 'Your last changes are not saved. A try runs the saved draft.'
        : 'Try the draft, then submit it. The review tries each of your examples.'}
  </p>
);

/** The actions: back, save, deploy privately, submit, next. The main one is filled. */
function Foot({
  agent,
  draft,
  step,
  onGo,
}: {
  agent: PublisherAgent;
  draft: Draft;
  step: StepName;
  onGo: (name: StepName) => void;
}) {
  const place = STEPS.findIndex(({ name }) => name === step);
  const [before, next] = [STEPS[place - 1], STEPS[place + 1]];
  const isPending = draft.deploying.isPending || draft.submitting.isPending;
  const isInReview = agent.public_submission?.status === 'in_review';
  return (
    <div className="draft-foot">
      {before && (
        <Button variant="default" onClick={() => onGo(before.name)}>
          Back
        </Button>
      )}
      <Button
        {...(step === 'try' ? { onClick: () => draft.saving.mutate(undefined) } : { type: 'submit', form: FORM })}
        variant="default"
        disabled={!draft.isChanged}
        loading={draft.saving.isPending}
        aria-live="polite"
      >
        {draft.isChanged ? 'Save' : 'Saved'}
      </Button>
      {draft.isChanged && <Discard draft={draft} />}
      <span className="draft-foot-end">
        <Button
          variant="default"
          loading={draft.deploying.isPending}
          disabled={isPending}
          onClick={() => draft.deploying.mutate(undefined)}
        >
          Deploy privately
        </Button>
        <Button
          variant={next ? 'default' : 'filled'}
          loading={draft.submitting.isPending}
          disabled={isPending || isInReview}
          onClick={() => draft.submitting.mutate(undefined)}
        >
          {isInReview ? 'In review' : 'Submit for review'}
        </Button>
        {next && <Button onClick={() => onGo(next.name)}>Next: {next.label}</Button>}
      </span>
    </div>
  );
}

const Discard = ({ draft: { reloading } }: { draft: Draft }) => (
  <Confirmed
    title="Discard your changes?"
    confirmLabel="Discard changes"
    change={reloading}
    trigger={(ask) => (
      <Button variant="subtle" color="gray" loading={reloading.isPending} onClick={ask}>
        Discard changes
      </Button>
    )}
  >
    The fields of all steps get what was saved last.
  </Confirmed>
);
