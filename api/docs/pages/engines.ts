import { escapeHtml } from '../../../base/web.ts';
import type { ThirdParty } from '../../../providers/localEngines.ts';

/** The embedded engines with their makers and licences: models, voices and runtimes. */
export function enginesTable(thirdParties: readonly ThirdParty[] = []): string {
  const rows = thirdParties.map(
    ({ name, version, licence, by }) =>
      '<tr><th ' +
      `scope="row">${escapeHtml(name)}</th><td>${escapeHtml(version)}</td><td>${escapeHtml(licence)}</td><td>${escapeHtml(by)}</td></tr>`,
  );
  return (
    '<table class="engines"><thead><tr><th scope="col">Engine or part</th><th scope="col">Version</th><th ' +
    `scope="col">Licence</th><th scope="col">By</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  );
}
