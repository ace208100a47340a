import { Anchor, Button, ThemeIcon } from '@mantine/core';
import { CheckIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import { useTextModel } from '../api/models.ts';
import type { AgentModel } from '../api/shapes.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { firstCalls } from '../parts/firstCalls.ts';
import { pageAt } from '../parts/pageAt.ts';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import type { Progress } from './progress.ts';

/** The steps to the first answer beside the call itself. */
export default function Steps({
  progress: { hasCredit, hasKey, isCalled },
  agents,
  isDone,
  onHide,
}: {
  progress: Progress;
  agents: AgentModel | undefined;
  isDone: boolean;
  onHide: () => void;
}) {
  const { features, scopes } = useMe();
  return (
    <Panel
      title="First steps"
      description={descriptionOf(isDone, agents)}
      actions={
        isDone && (
          <Button variant="default" size="xs" onClick={onHide}>
            Hide
          </Button>
        )
      }
    >
      <div className="first-steps">
        <ol className="steps">
          <Step isDone={hasCredit} title="Add credit">
            {scopes.includes('billing') ? (
              <>
                <Anchor component={Link} to="/billing" inherit>
                  Add credit
                </Anchor>{' '}
                {features.payments === 'test'
                  ? 'by a test payment: no real card is needed.'
                  : 'by card or bank transfer.'}
              </>
            ) : (
              'An owner or a finance member adds credit.'
            )}
          </Step>
          <Step isDone={hasKey} title="Create key">
            {scopes.includes('manage') ? (
              <Anchor component={Link} {...pageAt('/keys', { create: '1' })} inherit>
                Create key
              </Anchor>
            ) : (
              'An owner or a developer creates one'
            )}{' '}
            for your program. It is shown once.
          </Step>
          <CallStep isDone={isCalled} />
          {agents && <AgentsStep agents={agents} />}
        </ol>
        <Snippets />
      </div>
    </Panel>
  );
}

function descriptionOf(isDone: boolean, agents: AgentModel | undefined): string {
  if (!isDone) return `${agents ? 'Four' : 'Three'} steps to your first response. Each turns green by itself.`;
  const isAll = !agents?.is_rehearsed;
  return isAll ? 'All done: the API answers your calls.' : 'The API answers your calls. Agents still answer by rules.';
}

function CallStep({ isDone }: { isDone: boolean }) {
  return (
    <Step isDone={isDone} title="Make a call">
      <span role="status">
        {isDone ? (
          <>
            First call received:{' '}
            <Anchor component={Link} to="/requests" inherit>
              see it under Requests
            </Anchor>
            .
          </>
        ) : (
          <Status tone="busy" word="Waiting for your first call…" />
        )}
      </span>
    </Step>
  );
}

/** For operators of the installation. */
function AgentsStep({ agents }: { agents: AgentModel }) {
  const isReal = !agents.is_rehearsed;
  return (
    <Step isDone={isReal} title="Give agents a model">
      {isReal ? `Agents use ${agents.model}. ` : 'Agents answer by rules: give them a language model, '}
      <Anchor component={Link} to="/operate/agent-model" inherit>
        {isReal ? 'Change it' : 'by a vendor’s key or on this machine'}
      </Anchor>
      .
    </Step>
  );
}

function Snippets() {
  const { features } = useMe();
  const model = useTextModel();
  return (
    <div>
      <CodeSnippets snippets={firstCalls(features.api_url, undefined, model)} label="First call in" />
      <p className="steps-note">The official OpenAI clients work unchanged: set the base URL and your key.</p>
    </div>
  );
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  return (
    <li className="step" data-done={isDone || undefined}>
      <ThemeIcon variant={isDone ? 'filled' : 'default'} radius="xl" size={24} aria-hidden>
        {isDone && <CheckIcon />}
      </ThemeIcon>
      <div>
        <p className="step-title">
          {title}
          {isDone && <span className="for-readers"> (done)</span>}
        </p>
        <div className="step-text">{children}</div>
      </div>
    </li>
  );
}
