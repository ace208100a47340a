import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { VoiceFailure } from './voiceFailures.ts';
import type { VoiceSession, VoiceState } from './voiceSession.ts';

/** The state of a conversation in words. */
export function stateInWords(state: VoiceState): string {
  const { phase, isHearing, isSpeaking, isThinking, isMuted, hasMicrophone } = state;
  if (phase === 'idle') return 'Not started';
  if (phase === 'connecting') return 'Connecting';
  if (phase === 'ended') return 'Ended';
  if (isHearing) return 'Hearing you';
  if (isSpeaking) return 'Speaking';
  if (isThinking) return 'Thinking';
  if (!hasMicrophone) return 'Waiting for your message';
  return isMuted ? 'Muted' : 'Listening';
}

interface Controls {
  session: VoiceSession | null;
  state: VoiceState;
  canStart: boolean;
  onStart: (withMicrophone: boolean) => void;
}

/** Starts, mutes, stops and ends a conversation. */
export function VoiceButtons({ session, state, canStart, onStart }: Controls) {
  const { phase, isSpeaking, isThinking, isMuted, hasMicrophone } = state;
  if (phase === 'connecting' || phase === 'open')
    return (
      <Group gap="sm">
        {hasMicrophone && (
          <Button variant="default" aria-pressed={isMuted} onClick={() => session?.mute(!isMuted)}>
            {isMuted ? 'Unmute' : 'Mute'}
          </Button>
        )}
        <Button variant="default" disabled={!isSpeaking && !isThinking} onClick={() => session?.interrupt()}>
          Stop answer
        </Button>
        <Button color="red.8" onClick={() => session?.end()}>
          End
        </Button>
      </Group>
    );
  return (
    <Group gap="sm">
      <Button disabled={!canStart} onClick={() => onStart(true)}>
        {phase === 'ended' ? 'Start again' : 'Start talking'}
      </Button>
      <Button variant="default" disabled={!canStart} onClick={() => onStart(false)}>
        Start without a microphone
      </Button>
    </Group>
  );
}

/** A text input, for people who cannot or do not want to talk. */
export function VoiceMessage({ session, state }: Pick<Controls, 'session' | 'state'>) {
  const [text, setText] = useState('');
  if (state.phase !== 'open') return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        session?.write(text);
        setText('');
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          className="grows"
          aria-label="Message"
          placeholder="Type instead of talking"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={text.trim() === ''}>
          Send
        </Button>
      </Group>
    </form>
  );
}

/** Why there is no conversation, and what to do next. */
export function FailureAlert({ failure, onType }: { failure: VoiceFailure; onType: () => void }) {
  return (
    <Alert color={failure.remedy === 'other' ? 'red' : 'yellow'} title={failure.title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failure.message}</Text>
        {failure.remedy === 'balance' && (
          <Anchor size="sm" component={Link} {...{ to: '/billing' }}>
            Add credit
          </Anchor>
        )}
        {failure.remedy === 'microphone' && (
          <Button size="xs" variant="default" onClick={onType}>
            Type instead
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
