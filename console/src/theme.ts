import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const ledger: MantineColorsTuple = [
  '#e9f8f2',
  '#d0efe3',
  '#a3dfc8',
  '#72ceab',
  '#4abf93',
  '#31a97b',
  '#1b9267',
  '#12805a',
  '#0b6a4a',
  '#04553a',
];

export const theme = createTheme({
  colors: { ledger },
  primaryColor: 'ledger',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  cursorType: 'pointer',
  // Colour alone does not distinguish a link from its text.
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    // An out-of-range number is refused by name, not silently replaced.
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
  },
  respectReducedMotion: true,
});

/** Mantine's own greys and reds are too pale for text by WCAG 2.2 AA (4.5 to 1). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#566069',
    '--mantine-color-placeholder': '#6b747c',
    '--mantine-color-error': '#c22525',
    '--mantine-color-anchor': '#0b6a4a',
    '--mantine-color-body': '#ffffff',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a9b0',
    '--mantine-color-placeholder': '#969ca3',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#72ceab',
    '--mantine-color-body': '#15181b',
  },
});
