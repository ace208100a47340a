import { Cross2Icon } from '@radix-ui/react-icons';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconAction } from '../parts/IconAction.tsx';
import type { Chat } from './chat.ts';
import type { Thread } from './conversation.ts';
import { FailureNote } from './FailureNote.tsx';
import { MessageView } from './MessageView.tsx';
import { ModelPicker } from './ModelPicker.tsx';
import { contextText, modelNamed, priceText, type Model } from './models.ts';
import { ToolResults } from './ToolResults.tsx';

/** One model's column: which model it is, and its messages. */
export function ThreadView({
  chat,
  thread,
  models,
  isRunning,
  isCompared,
  empty,
}: {
  chat: Chat;
  thread: Thread;
  models: Model[] | undefined;
  isRunning: boolean;
  isCompared: boolean;
  /** Shown while nothing has been asked. */
  empty: ReactNode;
}) {
  const name = chat.modelOf(thread);
  const model = modelNamed(models, name);
  const label = isCompared ? `Messages of ${name}` : 'Messages';
  return (
    <section className="thread" aria-label={`Chat with ${name}`}>
      <div className="thread-head">
        <ModelPicker models={models} value={name} onChange={(id) => chat.setModel(thread.id, id)} />
        <p className="thread-facts number">
          {model && (
            <>
              {priceText(model)}
              <span className="thread-more">{[' per 1M tokens', contextText(model)].filter(Boolean).join(' · ')}</span>
            </>
          )}
        </p>
        {isCompared && (
          <IconAction
            tip="Close this column"
            name={`Close the column of ${name}`}
            onClick={() => chat.close(thread.id)}
          >
            <Cross2Icon />
          </IconAction>
        )}
      </div>
      <Transcript label={label} messages={thread.messages}>
        {thread.messages.length === 0 && !thread.failure ? empty : <Messages {...{ chat, thread, isRunning }} />}
      </Transcript>
    </section>
  );
}

function Messages({ chat, thread, isRunning }: { chat: Chat; thread: Thread; isRunning: boolean }) {
  const { id, messages, failure } = thread;
  const last = messages.length - 1;
  let questions = -1;
  return (
    <>
      {messages.map((message, at) => {
        if (message.role === 'user') questions += 1;
        const nth = questions;
        return (
          <MessageView
            key={at}
            message={message}
            isRunning={isRunning && at === last}
            onEdit={isRunning ? undefined : (content) => chat.edit(nth, content)}
            onAgain={isRunning || at !== last ? undefined : () => chat.again(id)}
          />
        );
      })}
      {!isRunning && (
        <ToolResults key={last} message={messages[last]} onAnswer={(results) => chat.answerTools(id, results)} />
      )}
      {failure && !isRunning && <FailureNote failure={failure} onRetry={() => chat.again(id)} />}
    </>
  );
}

// Farther from the end, the reader has scrolled up, and the answer does not scroll.
const NEAR_PX = 80;

/** Scrolls with the answer, unless its reader has scrolled up. */
function Transcript({ label, messages, children }: { label: string; messages: object[]; children: ReactNode }) {
  const log = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [messages]);
  return (
    <div
      className="transcript"
      role="log"
      aria-label={label}
      tabIndex={0}
      ref={log}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      <div className="transcript-inside">{children}</div>
    </div>
  );
}
