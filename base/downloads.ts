/** Where a file of a maker is fetched: at the maker, or below the mirror under the maker's host: `https://mirror/huggingface.co/...`. */
export function mirrored(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url;
  const { host, pathname } = new URL(url);
  return `${mirror.replace(/\/+$/, '')}/${host}${pathname}`;
}
