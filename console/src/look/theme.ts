import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { KeptButton } from '../parts/KeptButton.tsx';

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

/** Greys of the component set in dark: those of `tokens.css`, not neutral ones. */
const dark: MantineColorsTuple = [
  '#e7eaec',
  '#c3cad0',
  '#9ea8b0',
  '#6b757d',
  '#39424a',
  '#2f373e',
  '#242a2f',
  '#1b2024',
  '#15191c',
  '#0e1113',
];

/** The component set in the design's type, sizes and colours. The values themselves are in `tokens.css`; see DESIGN.md. */
export const theme = createTheme({
  colors: { ledger, dark },
  primaryColor: 'ledger',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  fontFamily: "Geist, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.375rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  cursorType: 'pointer',
  // Colour alone does not distinguish a link from its text.
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    ActionIcon: { defaultProps: { component: KeptButton } },
    Button: { defaultProps: { component: KeptButton, fw: 500 } },
    // Its placeholder is no item of a menu, which axe refuses just after a menu was opened.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // An out-of-range number is refused by name, not silently replaced.
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
    Tooltip: { defaultProps: { openDelay: 250, transitionProps: { duration: 150 } } },
  },
  respectReducedMotion: true,
});

/**
 * Mantine's own variables that the design's values replace, in both schemes: its greys and reds are too pale for text by WCAG 2.2 AA
 * (4.5 to 1).
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...COLORS, '--mantine-color-placeholder': '#6b747c' },
  dark: { ...COLORS, '--mantine-color-placeholder': '#969ca3' },
});

const COLORS = {
  '--mantine-color-body': 'var(--panel)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-error': 'var(--bad-ink)',
  '--mantine-color-anchor': 'var(--action-ink)',
  '--mantine-color-default': 'var(--panel)',
  '--mantine-color-default-hover': 'var(--raised)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--raised)',
  '--mantine-color-red-light': 'var(--bad-soft)',
  '--mantine-color-red-light-color': 'var(--bad-ink)',
  '--mantine-color-yellow-light': 'var(--held-soft)',
  '--mantine-color-yellow-light-color': 'var(--held-ink)',
  '--mantine-color-green-light': 'var(--action-soft)',
  '--mantine-color-green-light-color': 'var(--action-ink)',
  '--mantine-color-gray-light': 'var(--raised)',
};
