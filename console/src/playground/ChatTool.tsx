import { Button, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { eventsOf } from '../api/events.ts';
import { send } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { Panel } from '../parts/Panel.tsx';
import { CallCost, useModels, type Call } from './calls.tsx';
import { ChatSettings, bodyOf, STANDARD, type Settings } from './ChatSettings.tsx';
import { chatSnippets } from './snippets.ts';

interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

interface Message {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: ToolCall[];
  toolCallId?: string;
  call?: Call;
}

interface Chunk {
  error?: { message: string };
  usage?: { cost?: number } | null;
  choices?: {
    delta?: {
      content?: string | null;
      tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
  }[];
}

const WAITING: Message = { role: 'assistant', content: '' };

export default function ChatTool() {
  const models = useModels('text');
  const { features } = useMe();
  const [settings, setSettings] = useState<Settings>(STANDARD);
  const [messages, setMessages] = useState<Message[]>([]);
  const [draft, setDraft] = useState('');
  const [error, setError] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const [isRunning, setRunning] = useState(false);
  const current = { ...settings, model: settings.model || (models[0] ?? '') };
  const next: Message[] = draft.trim() ? [...messages, { role: 'user', content: draft }] : messages;

  async function ask(asked: Message[]) {
    const abort = new AbortController();
    running.current = abort;
    setRunning(true);
    setError(null);
    setDraft('');
    setMessages([...asked, WAITING]);
    try {
      const body = bodyOf(current, asked.map(sentMessage));
      await stream(body, abort.signal, (answer) => setMessages([...asked, answer]));
    } catch (thrown) {
      if (!abort.signal.aborted)
        setError(thrown instanceof SyntaxError ? `Not JSON: ${thrown.message}` : sentenceOf(thrown));
      setMessages((shown) => (shown.at(-1)?.content || shown.at(-1)?.toolCalls ? shown : asked));
    } finally {
      setRunning(false);
    }
  }

  return (
    <div className="playground">
      <Stack gap="lg">
        <Panel
          title="Chat"
          actions={
            messages.length > 0 && (
              <Button size="xs" variant="default" onClick={() => setMessages([])} disabled={isRunning}>
                Start over
              </Button>
            )
          }
        >
          <Stack>
            <div className="messages" role="log" aria-label="Messages" tabIndex={0}>
              {messages.length === 0 && <Text c="dimmed">Ask something. The answer streams in here.</Text>}
              {messages.map((message, at) => (
                <MessageView key={at} message={message} isRunning={isRunning && at === messages.length - 1} />
              ))}
            </div>
            {error && (
              <Text role="alert" className="text-bad">
                {error}
              </Text>
            )}
            <ToolAnswers
              message={messages.at(-1)}
              isDisabled={isRunning}
              onAnswer={(answers) => void ask([...messages, ...answers])}
            />
            <MessageForm
              draft={draft}
              isRunning={isRunning}
              canSend={!isRunning && draft.trim() !== '' && current.model !== ''}
              onDraft={setDraft}
              onSend={() => void ask(next)}
              onStop={() => running.current?.abort()}
            />
          </Stack>
        </Panel>
        <Panel title="Code">
          <CodeSnippets snippets={snippets(features.api_url, current, next)} label="This chat in" />
        </Panel>
      </Stack>
      <ChatSettings settings={current} models={models} onChange={setSettings} />
    </div>
  );
}

function snippets(apiUrl: string, settings: Settings, messages: Message[]) {
  const shown: Message[] = messages.length > 0 ? messages : [{ role: 'user', content: 'Hello' }];
  try {
    return chatSnippets(apiUrl, bodyOf(settings, shown.map(sentMessage)));
  } catch {
    return chatSnippets(apiUrl, bodyOf({ ...settings, tools: '', schema: '' }, shown.map(sentMessage)));
  }
}

function MessageForm({
  draft,
  isRunning,
  canSend,
  onDraft,
  onSend,
  onStop,
}: {
  draft: string;
  isRunning: boolean;
  canSend: boolean;
  onDraft: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      <Textarea
        label="Message"
        autosize
        minRows={2}
        maxRows={12}
        value={draft}
        onChange={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (canSend) onSend();
        }}
      />
      <Group mt="sm">
        <Button type="submit" disabled={!canSend}>
          Send
        </Button>
        {isRunning && (
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        )}
      </Group>
    </form>
  );
}

/** A message in the API's form. */
function sentMessage({ role, content, toolCalls, toolCallId }: Message): object {
  if (role === 'tool') return { role, tool_call_id: toolCallId, content };
  if (!toolCalls) return { role, content };
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
  return { role, content: content || null, tool_calls: calls };
}

/** Streams an answer; `show` gets the whole text after each piece. */
async function stream(body: object, signal: AbortSignal, show: (answer: Message) => void): Promise<void> {
  const begunMs = performance.now();
  const response = await send('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const call: Call = { requestId: response.headers.get('x-request-id') ?? '', costUsd: null, tookMs: 0 };
  let answer: Message = { ...WAITING };
  try {
    for await (const { data } of eventsOf(response)) {
      if (data === '[DONE]') break;
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error) throw new Error(chunk.error.message);
      if (typeof chunk.usage?.cost === 'number') call.costUsd = chunk.usage.cost;
      answer = withChunk(answer, chunk);
      show(answer);
    }
  } finally {
    show({ ...answer, call: { ...call, tookMs: performance.now() - begunMs } });
  }
}

function withChunk(answer: Message, { choices = [] }: Chunk): Message {
  const delta = choices[0]?.delta;
  if (!delta) return answer;
  const toolCalls = [...(answer.toolCalls ?? [])];
  for (const { index, id, function: called } of delta.tool_calls ?? []) {
    const known = toolCalls[index] ?? { id: '', name: '', arguments: '' };
    toolCalls[index] = {
      id: id ?? known.id,
      name: called?.name ?? known.name,
      arguments: known.arguments + (called?.arguments ?? ''),
    };
  }
  return {
    ...answer,
    content: answer.content + (delta.content ?? ''),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

const NAMES = { user: 'You', assistant: 'Model', tool: 'Tool' };

/** The answer as text: it is never rendered as markup. */
function MessageView({ message, isRunning }: { message: Message; isRunning: boolean }) {
  return (
    <div className={`message message-${message.role}`}>
      <Text size="sm" fw={600}>
        {NAMES[message.role]}
      </Text>
      <pre className="written">{message.content || (isRunning ? '…' : '')}</pre>
      {message.toolCalls?.map(({ id, name, arguments: text }) => (
        <pre key={id} className="code" tabIndex={0}>
          {name}({text})
        </pre>
      ))}
      {message.call && <CallCost call={message.call} />}
    </div>
  );
}

/** The results of the model's tool calls, entered by the user. */
function ToolAnswers({
  message,
  isDisabled,
  onAnswer,
}: {
  message: Message | undefined;
  isDisabled: boolean;
  onAnswer: (answers: Message[]) => void;
}) {
  const [results, setResults] = useState<Record<string, string>>({});
  const calls = message?.toolCalls ?? [];
  if (calls.length === 0 || isDisabled) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(calls.map(({ id }) => ({ role: 'tool', toolCallId: id, content: results[id] ?? '' })));
      }}
    >
      <SimpleGrid cols={1} spacing="sm">
        {calls.map(({ id, name }) => (
          <Textarea
            key={id}
            label={`Result of ${name}`}
            value={results[id] ?? ''}
            onChange={(event) => setResults({ ...results, [id]: event.currentTarget.value })}
          />
        ))}
        <Group>
          <Button type="submit">Send the results</Button>
        </Group>
      </SimpleGrid>
    </form>
  );
}
