import './readable.css';
import { useMemo, useState, type ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
import { Grid } from './Grid.tsx';
import { JsonTree } from './JsonTree.tsx';
import { Markdown } from './Markdown.tsx';
import { formOf, rowsOf } from './readable.ts';

/**
 * A text in the form in which it reads best: arrays of objects and CSV as a table, JSON with folds, Markdown, or as it is. It can be shown
 * as it was sent, and copied.
 */
export function Readable({
  title,
  text,
  isMarkdown = false,
  isShort = false,
}: {
  title: string;
  text: string;
  isMarkdown?: boolean;
  /** A long text scrolls in a box, as data always do. */
  isShort?: boolean;
}) {
  const [isRaw, setRaw] = useState(false);
  const form = useMemo(() => formOf(text, isMarkdown), [text, isMarkdown]);
  const shown =
    isRaw || form.kind === 'plain' ? (
      <pre className="readable-plain" tabIndex={0} role="group" aria-label={title}>
        {text}
      </pre>
    ) : form.kind === 'data' ? (
      <Data value={form.value} />
    ) : isShort ? (
      <div className="readable-short" tabIndex={0} role="group" aria-label={title}>
        <Markdown text={text} />
      </div>
    ) : (
      <Markdown text={text} />
    );
  return (
    <Titled
      title={title}
      text={text}
      actions={
        form.kind !== 'plain' && (
          <button type="button" className="readable-switch" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            Raw<span className="for-readers"> {title}</span>
          </button>
        )
      }
    >
      {shown}
    </Titled>
  );
}

/** Data as a table or as JSON with folds. */
export function ReadableData({ title, value }: { title: string; value: unknown }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  return (
    <Titled title={title} text={text}>
      <Data value={value} />
    </Titled>
  );
}

function Data({ value }: { value: unknown }) {
  const rows = rowsOf(value);
  return rows ? <Grid rows={rows} /> : <JsonTree value={value} />;
}

function Titled({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="readable">
      <div className="readable-head">
        <span>{title}</span>
        <div className="readable-actions">
          {actions}
          <CopyButton value={text} name={`Copy: ${title}`} />
        </div>
      </div>
      {children}
    </div>
  );
}
