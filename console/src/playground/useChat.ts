import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useSearchState } from '../parts/useSearchState.ts';
import { Chat } from './chat.ts';
import { isEmpty, type Conversation } from './conversation.ts';
import type { Model } from './models.ts';
import { useKept } from './useHistory.ts';

/** The page's conversation. Its id is in the address, so that a reload and the back button find it again. */
export function useChat(models: Model[] | undefined) {
  const [search, setSearch] = useSearchState();
  const kept = useKept<Conversation>('chat');
  const keep = useRef(kept.keep);
  keep.current = kept.keep;
  const [chat] = useState(() => new Chat({ model: search.model, keep: (item) => void keep.current(item) }));
  const state = useSyncExternalStore(chat.subscribe, chat.state);
  chat.models = models ?? [];
  useEffect(() => () => chat.stop(), [chat]);

  const { id } = state.conversation;
  const hasMessages = !isEmpty(state.conversation);
  useEffect(() => {
    if (hasMessages) setSearch({ chat: id, model: undefined, prompt: undefined });
  }, [id, hasMessages, setSearch]);

  const { chat: asked } = search;
  useEffect(() => {
    const { conversation } = chat.state();
    if (asked === conversation.id) return;
    if (asked === undefined) {
      if (!isEmpty(conversation)) chat.begin();
      return;
    }
    const open = async () => {
      const found = await kept.find(asked);
      if (found) chat.open(found);
      else setSearch({ chat: undefined });
    };
    void open();
    // Only another address opens another conversation.
  }, [asked]);

  const model = search.model;
  useEffect(() => {
    const { conversation } = chat.state();
    const [first] = conversation.threads;
    if (model !== undefined && isEmpty(conversation) && first) chat.setModel(first.id, model);
  }, [chat, model]);

  const begin = () => {
    chat.begin();
    setSearch({ chat: undefined });
  };
  const remove = async (removed: string) => {
    if (removed === chat.state().conversation.id) begin();
    await kept.remove(removed);
  };
  return { chat, state, items: kept.items, canSend: chat.models.length > 0, begin, remove };
}
