import { pathOf } from './pathOf.ts';

/** The logo of a workspace, or the first letter of its name, which is drawn: readers hear the name beside it. */
export function WorkspaceLogo({ name, url, size = 22 }: { name: string; url: string | null; size?: number }) {
  if (url !== null) return <img className="workspace-logo" src={pathOf(url)} alt="" width={size} height={size} />;
  const letter = /\S/u.exec(name)?.[0].toUpperCase() ?? '·';
  return <span className="workspace-logo" data-letter={letter} style={{ fontSize: size }} aria-hidden />;
}
