import { Anchor, Stack, Text, ThemeIcon } from '@mantine/core';
import { CheckIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import { useTextModel } from '../api/models.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { firstCalls } from '../parts/firstCalls.ts';
import { pageAt } from '../parts/pageAt.ts';
import { Panel } from '../parts/Panel.tsx';

/** The steps to the first answer, with completed ones marked. */
export default function Steps({ hasCredit, hasKey, isCalled }: Record<'hasCredit' | 'hasKey' | 'isCalled', boolean>) {
  const { features, scopes } = useMe();
  const model = useTextModel();
  return (
    <Panel title="First steps" description="Three steps to the first answer.">
      <ol className="steps">
        <Step isDone={hasCredit} title="Add credit">
          {scopes.includes('billing') ? (
            <Anchor component={Link} to="/billing">
              Pay into the balance
            </Anchor>
          ) : (
            'An owner or a finance member pays into the balance'
          )}
          {features.payments === 'test' && ' by a test payment: no real card is needed.'}
        </Step>
        <Step isDone={hasKey} title="Create a key">
          {scopes.includes('manage') ? (
            <Anchor component={Link} {...pageAt('/keys', { create: '1' })}>
              Create a key
            </Anchor>
          ) : (
            'An owner or a developer creates a key'
          )}{' '}
          for your program. It is shown once.
        </Step>
        <Step isDone={isCalled} title="Make a call">
          <Stack gap="xs">
            <Text size="sm">The official OpenAI clients work as they are: set the base URL and your key.</Text>
            <CodeSnippets snippets={firstCalls(features.api_url, undefined, model)} label="First call in" />
          </Stack>
        </Step>
      </ol>
    </Panel>
  );
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  return (
    <li className="step">
      <ThemeIcon variant={isDone ? 'filled' : 'default'} radius="xl" size={24} aria-hidden>
        {isDone && <CheckIcon />}
      </ThemeIcon>
      <div className="step-body">
        <Text fw={600}>
          {title}
          {isDone && <span className="for-readers"> (done)</span>}
        </Text>
        <Text size="sm" component="div">
          {children}
        </Text>
      </div>
    </li>
  );
}
