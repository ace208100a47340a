import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * Leaves out of the built styles what no built script uses. The component set comes with one style sheet of all its components; each of
 * its classes is a hash (`m_849cf0da`) that stands in the script of its component.
 */
export function leaveOutUnusedStyles(): Plugin {
  return {
    name: 'leave-out-unused-styles',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const code = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n');
        const used = new Set(code.match(HASH) ?? []);
        const page = files.find(({ fileName }) => fileName === 'index.html');
        for (const file of files) {
          if (page?.type !== 'asset' || file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
          if (!String(page.source).includes(file.fileName)) continue;
          file.source = usedRules(String(file.source), used);
          const name = `assets/styles-${createHash('sha256').update(file.source).digest('base64url').slice(0, 10)}.css`;
          page.source = String(page.source).replaceAll(file.fileName, name);
          // The first script names every other one, so its own name changes with whatever changes the styles.
          for (const other of files)
            if (other.type === 'chunk') other.code = other.code.replaceAll(file.fileName, name);
          file.fileName = name;
        }
      },
    },
  };
}

const HASH = /m_[0-9a-f]{6,8}/g;

/** The rules whose selectors name no class, or at least one group of classes that are all used. */
function usedRules(css: string, used: ReadonlySet<string>): string {
  let kept = '';
  for (let at = 0; at < css.length;) {
    const open = css.indexOf('{', at);
    if (open < 0) return kept + css.slice(at);
    const end = endOfBlock(css, open);
    const head = css.slice(at, open);
    const body = css.slice(open + 1, end);
    if (/^\s*@(media|supports|layer|container)/.test(head)) {
      const inner = usedRules(body, used);
      if (inner !== '') kept += `${head}{${inner}}`;
    } else if (head.trimStart().startsWith('@') || isUsed(head, used)) kept += css.slice(at, end + 1);
    at = end + 1;
  }
  return kept;
}

const isUsed = (selectors: string, used: ReadonlySet<string>): boolean =>
  selectors.split(',').some((selector) => (selector.match(HASH) ?? []).every((name) => used.has(name)));

function endOfBlock(css: string, open: number): number {
  for (let at = open, depth = 0; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1;
    if (css[at] === '}' && (depth -= 1) === 0) return at;
  }
  return css.length;
}
