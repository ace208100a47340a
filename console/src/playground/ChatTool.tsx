import { Pencil2Icon, ViewVerticalIcon } from '@radix-ui/react-icons';
import { useMe } from '../api/me.ts';
import { useSearchState } from '../parts/useSearchState.ts';
import type { Chat } from './chat.ts';
import { ChatParameters } from './ChatParameters.tsx';
import { ChatStart, modelsOf } from './ChatStart.tsx';
import { CodeDrawer } from './CodeDrawer.tsx';
import { Composer } from './Composer.tsx';
import { isEmpty, sentMessage, type Conversation, type Message } from './conversation.ts';
import { HeadAction, ToolActions, Workbench } from './frame.tsx';
import { HistoryDrawer } from './HistoryDrawer.tsx';
import { modelNamed, takesImages, useModelsOf, type Model } from './models.ts';
import { chatSnippets } from './snippets.ts';
import { limitsOf } from './supported.ts';
import { ThreadView } from './ThreadView.tsx';
import { useChat } from './useChat.ts';

/** A chat with a model, or with two side by side. */
export default function ChatTool() {
  const models = useModelsOf('text');
  const { features } = useMe();
  const [{ prompt }] = useSearchState();
  const { chat, state, items, canSend, begin, remove } = useChat(models);
  const { conversation, running } = state;
  const { threads, parameters } = conversation;
  const chosen = threads.map((thread) => modelNamed(models, chat.modelOf(thread)));
  const open = (item: Conversation) => chat.open(item);
  const start = (
    <ChatStart
      items={items}
      canSend={canSend}
      onAsk={(question) => chat.send(question, [])}
      onOpen={open}
      onRemove={({ id }) => void remove(id)}
    />
  );
  return (
    <Workbench
      name="Parameters"
      isDivided={threads.length > 1}
      settings={
        <ChatParameters
          parameters={parameters}
          limits={limitsOf(chosen)}
          outputTokensMax={outputTokensMaxOf(chosen)}
          onChange={(change) => chat.change(change)}
        />
      }
    >
      <ToolActions>
        <HeadAction icon={<Pencil2Icon />} name="New chat" onClick={begin} />
      </ToolActions>
      <HistoryDrawer
        items={items}
        noun="conversations"
        current={conversation.id}
        factsOf={modelsOf}
        onOpen={open}
        onRemove={({ id }) => void remove(id)}
      />
      <CompareAction chat={chat} models={models} conversation={conversation} />
      <CodeDrawer label="This chat in" snippets={() => snippetsOf(features.api_url, chat, conversation)} />
      <div className="threads" data-count={threads.length}>
        {threads.map((thread, at) => (
          <ThreadView
            key={thread.id}
            chat={chat}
            thread={thread}
            models={models}
            isRunning={running.includes(thread.id)}
            isCompared={threads.length > 1}
            empty={at === 0 ? start : <p className="thread-empty">Each question goes to both models.</p>}
          />
        ))}
      </div>
      <Composer
        key={conversation.id}
        initial={isEmpty(conversation) ? prompt : ''}
        isRunning={running.length > 0}
        canSend={canSend}
        canSendSoon={models === undefined}
        takesImages={chosen.every(takesImages)}
        onSend={(text, images) => chat.send(text, images)}
        onStop={() => chat.stop()}
      />
    </Workbench>
  );
}

/** Opens a second column with another model; pressed again, it closes it. */
function CompareAction({
  chat,
  models = [],
  conversation: { threads },
}: {
  chat: Chat;
  models: Model[] | undefined;
  conversation: Conversation;
}) {
  const [first, second] = threads;
  const other = models.find(({ id }) => id !== chat.modelOf(first!)) ?? models[0];
  return (
    <ToolActions>
      <HeadAction
        icon={<ViewVerticalIcon />}
        name="Compare"
        isPressed={second !== undefined}
        onClick={() => (second ? chat.close(second.id) : other && chat.compare(other.id))}
      />
    </ToolActions>
  );
}

const NO_MAXIMUM = 32_768;

const outputTokensMaxOf = (models: (Model | undefined)[]): number =>
  Math.min(...models.map((model) => model?.max_output_tokens ?? NO_MAXIMUM));

/** The last question to the first model as code; unfinished JSON is left out of it. */
function snippetsOf(apiUrl: string, chat: Chat, { threads, parameters }: Conversation) {
  const [thread] = threads;
  const last = thread!.messages.findLastIndex(({ role }) => role !== 'assistant');
  const asked: Message[] = last < 0 ? [{ role: 'user', content: 'Hello' }] : thread!.messages.slice(0, last + 1);
  const messages = asked.map(sentMessage);
  const model = chat.modelOf(thread!);
  try {
    return chatSnippets(apiUrl, chat.bodyFor(model, messages));
  } catch {
    return chatSnippets(apiUrl, chat.bodyFor(model, messages, { ...parameters, tools: '', format: 'text' }));
  }
}
