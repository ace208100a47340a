import { Markdown } from '../parts/Markdown.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import type { ContentLine } from './contentMessages.ts';

const NAMES: Record<ContentLine['role'], string> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
  prompt: 'Prompt',
  input: 'Input',
  answer: 'Answer',
};

// A long text scrolls within its line.
const LONG_CHARS = 4_000;

/** Messages below each other, each with its role at the left. */
export function ContentLines({ lines }: { lines: ContentLine[] }) {
  return (
    <ol className="content-lines">
      {lines.map((line, at) => (
        <li key={at} className="content-line" data-role={line.role}>
          <span className="content-role">{NAMES[line.role]}</span>
          <div className="content-words">
            <Words line={line} />
          </div>
          {line.text && <CopyButton value={line.text} name={`Copy: ${NAMES[line.role]}`} />}
        </li>
      ))}
    </ol>
  );
}

function Words({ line: { role, text, reasoning, calls = [], notes = [] } }: { line: ContentLine }) {
  const isLong = text.length > LONG_CHARS;
  return (
    <>
      {reasoning && (
        <details className="content-reasoning">
          <summary>Reasoning</summary>
          <p className="content-text">{reasoning}</p>
        </details>
      )}
      {text && (
        <div
          className={isLong ? 'content-long' : undefined}
          {...(isLong && { tabIndex: 0, role: 'group' })}
          aria-label={isLong ? NAMES[role] : undefined}
        >
          {role === 'assistant' ? <Markdown text={text} /> : <p className="content-text">{text}</p>}
        </div>
      )}
      {calls.map(({ id, name, arguments: given }, at) => (
        <pre key={id || at} className="code" tabIndex={0} role="group" aria-label={`Call of ${name}`}>
          {name}({given})
        </pre>
      ))}
      {notes.map((note) => (
        <p key={note} className="content-note">
          {note}
        </p>
      ))}
      {!text && !reasoning && calls.length === 0 && notes.length === 0 && <p className="content-note">No text.</p>}
    </>
  );
}
