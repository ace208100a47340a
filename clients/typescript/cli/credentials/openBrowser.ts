import { spawn } from 'node:child_process';
import { config } from '../config.ts';

/** Opens a page in the browser of the person, where there is one. Says whether it tried. */
export function openBrowser(url: string): boolean {
  const opener = openerOf(process.platform);
  if (!opener || !/^https?:\/\//.test(url)) return false;
  const [program, ...args] = opener;
  // Without a shell: the address comes from the installation.
  const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
}

function openerOf(platform: NodeJS.Platform): string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return config.hasDisplay ? ['xdg-open'] : undefined;
}
