import { address } from './variableTypes.ts';

/** Variables of mirrors: see `docs/operate/mirrors.md`. */
export const DOWNLOADS = {
  DOWNLOAD_MIRROR_URL: address('https?', 'https://mirror.example').optional().meta({
    about:
      'Mirror of the files that are fetched from their makers, as https://mirror, which has them below the makers’ hosts',
    unset: 'the makers, then packages of PyPI',
  }),
  NPM_CONFIG_REGISTRY: address('https?', 'https://registry.example')
    .optional()
    .meta({ about: "npm's own: the registry of packages, also where there is no npm", unset: "npm's configuration" }),
};
