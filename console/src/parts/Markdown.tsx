import './markdown.css';
import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, memo, useMemo, type ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';

/**
 * A text of a model as Markdown: tables, code with a copy button, lists. Elements are built from the parsed tokens, so HTML in the text
 * stays text, links lead only to web and mail addresses, and pictures are links: nothing is loaded from other hosts.
 */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text]);
  return (
    <div className="markdown">
      {blocks.map((token, at) => (
        // While a text grows, only its last block is drawn anew.
        <Block key={at} raw={token.raw} token={token} />
      ))}
    </div>
  );
}

const Block = memo(
  ({ token }: { raw: string; token: Token }) => blockOf(token),
  (one, other) => one.raw === other.raw && one.token.type === other.token.type,
);
Block.displayName = 'Block';

function blockOf(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return (
        <p className="markdown-heading" data-depth={Math.min((token as Tokens.Heading).depth, 3)}>
          {inlines(token)}
        </p>
      );
    case 'paragraph':
      return <p>{inlines(token)}</p>;
    case 'code':
      return <CodeBlock code={(token as Tokens.Code).text} language={(token as Tokens.Code).lang} />;
    case 'list':
      return listOf(token as Tokens.List);
    case 'table':
      return tableOf(token as Tokens.Table);
    case 'blockquote':
      return <blockquote>{blocksOf(token)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'html':
      return <p>{token.raw.trimEnd()}</p>;
    default:
      return inlines(token);
  }
}

const childrenOf = (token: Token): Token[] => ('tokens' in token && token.tokens) || [];

const blocksOf = (token: Token): ReactNode =>
  childrenOf(token).map((child, at) => <Fragment key={at}>{blockOf(child)}</Fragment>);

function CodeBlock({ code, language }: { code: string; language?: string }) {
  return (
    <div className="markdown-code">
      <div className="markdown-code-head">
        <span>{language || 'text'}</span>
        <CopyButton value={code} name="Copy the code" />
      </div>
      <pre tabIndex={0} role="group" aria-label={`Code, ${language || 'text'}`}>
        <code>{code}</code>
      </pre>
    </div>
  );
}

function listOf({ ordered, start, items }: Tokens.List): ReactNode {
  const lines = items.map((item, at) => <li key={at}>{blocksOf(item)}</li>);
  return ordered ? <ol start={start === '' ? 1 : start}>{lines}</ol> : <ul>{lines}</ul>;
}

function tableOf({ header, rows }: Tokens.Table): ReactNode {
  const textAlign = (cell: Tokens.TableCell) => (cell.align ? { textAlign: cell.align } : undefined);
  return (
    <div className="markdown-table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th key={at} style={textAlign(cell)}>
                {inlinesOf(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, of) => (
                <td key={of} style={textAlign(cell)}>
                  {inlinesOf(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inlinesOf = (tokens: Token[]): ReactNode =>
  tokens.map((token, at) => <Fragment key={at}>{inlineOf(token)}</Fragment>);

/** The inside of a block; what has no parts is its own text. */
function inlines(token: Token): ReactNode {
  const children = childrenOf(token);
  return children.length > 0 ? inlinesOf(children) : inlineOf(token);
}

function inlineOf(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlinesOf(childrenOf(token))}</strong>;
    case 'em':
      return <em>{inlinesOf(childrenOf(token))}</em>;
    case 'del':
      return <del>{inlinesOf(childrenOf(token))}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return linkTo((token as Tokens.Link).href, inlinesOf(childrenOf(token)));
    case 'image':
      return linkTo((token as Tokens.Image).href, (token as Tokens.Image).text || 'Picture');
    case 'checkbox':
      return <input type="checkbox" checked={(token as Tokens.Checkbox).checked} disabled aria-label="Done" />;
    case 'html':
      // The only tag that tables need.
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text': {
      const children = childrenOf(token);
      return children.length > 0 ? inlinesOf(children) : unescaped((token as Tokens.Text).text);
    }
    default:
      return token.raw;
  }
}

/** A link to another site, without a trace of this one. Other schemes, such as `javascript:`, stay text. */
function linkTo(href: string, name: ReactNode): ReactNode {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return <>{name}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {name}
    </a>
  );
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

/** Entities that a model writes by hand; everything else is shown as it is written. */
const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity]!);
