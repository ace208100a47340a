import { Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { drawings } from '../parts/drawings.tsx';
import { Money } from '../parts/Money.tsx';
import type { Entry, Message, ToolCall } from './entries.ts';

/** Both sides' words, as they arrive. Text is never rendered as markup. */
export function VoiceLog({ entries, empty }: { entries: Entry[]; empty: string }) {
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [entries]);
  return (
    <div className="transcript" role="log" aria-label="Conversation" tabIndex={0} ref={log}>
      <div className="transcript-inside">
        {entries.length === 0 && (
          <div className="chat-start">
            {drawings.signal}
            <Title order={2}>Talk to a model</Title>
            <p className="chat-start-note">{empty}</p>
          </div>
        )}
        {entries.map((entry) =>
          entry.kind === 'message' ? (
            <MessageView key={entry.id} message={entry} />
          ) : (
            <CallView key={entry.id} call={entry} />
          ),
        )}
      </div>
    </div>
  );
}

function MessageView({ message: { role, text, isPending, heardMs, costUsd } }: { message: Message }) {
  const words = text || (isPending ? '…' : heardMs === undefined ? 'No speech was recognized.' : '');
  return (
    <article className={`message message-${role}`} aria-label={role === 'user' ? 'You' : 'Answer'}>
      <div className={role === 'user' ? 'message-bubble' : undefined}>
        <p className="message-text">{words}</p>
      </div>
      {heardMs !== undefined && (
        <p className="message-note">
          Stopped after {(heardMs / 1_000).toFixed(1)} s. The rest was not heard and is not part of the conversation.
        </p>
      )}
      {costUsd !== undefined && (
        <p className="message-note">
          Cost <Money usd={costUsd} />
        </p>
      )}
    </article>
  );
}

function CallView({ call: { name, arguments: given, output } }: { call: ToolCall }) {
  return (
    <article className="message" aria-label="Tool call">
      <pre className="code" tabIndex={0} aria-label={`Call of ${name} and its answer`} role="group">
        {name}({given}){output !== null && `\n→ ${output}`}
      </pre>
    </article>
  );
}
