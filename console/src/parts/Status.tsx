/** `good`: done; `busy`: at work; `held`: waits for a person; `bad`: failed; `quiet`: ended otherwise, or not begun. */
export type Tone = 'good' | 'busy' | 'held' | 'bad' | 'quiet';

/** A state as a dot and a word. */
export function Status({ tone, word, title }: { tone: Tone; word: string; title?: string }) {
  return (
    <span className="status" data-tone={tone} title={title}>
      {word}
    </span>
  );
}
