import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { VoiceOrder } from './voiceOrder.ts';
import { IDLE, VoiceSession } from './voiceSession.ts';

const APPLY_AFTER_MS = 500;
const nothing = () => () => {};
const idle = () => IDLE;

/** The page's conversation; each start begins a new one. It ends with the component, and follows changes of its settings. */
export function useVoiceSession(order: VoiceOrder) {
  const [session, setSession] = useState<VoiceSession | null>(null);
  const state = useSyncExternalStore(session?.subscribe ?? nothing, session?.state ?? idle);
  useEffect(() => () => session?.end(), [session]);

  const latest = useRef(order);
  latest.current = order;
  const { voice, instructions, hasTool } = order;
  useEffect(() => {
    if (session?.state().phase !== 'open') return undefined;
    const timer = setTimeout(() => session.configure(latest.current), APPLY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [session, voice, instructions, hasTool]);

  const start = (withMicrophone: boolean) => {
    const made = new VoiceSession(order);
    setSession(made);
    void made.start({ withMicrophone });
  };
  return { session, state, start };
}
