import {
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  mergeMantineTheme,
} from '@mantine/core'
import { dark, gray, linnet } from './colors.ts'

/**
 * How everything looks, in the family of the pages that visitors see (`core/http/pages/look.ts`). The build
 * writes its variables into a stylesheet, so that the browser has no inline style to refuse.
 */
export const theme = createTheme({
  colors: { linnet, gray, dark },
  primaryColor: 'linnet',
  primaryShade: { light: 7, dark: 6 },
  white: '#fffefb',
  black: '#23262b',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: {
    fontFamily: 'ui-serif, "Iowan Old Style", Palatino, Georgia, serif',
    fontWeight: '600',
    textWrap: 'balance',
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // One line in a menu, a chart or a badge says enough; a tooltip must not be in the way.
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Modal: { defaultProps: { centered: true, radius: 'lg' } },
    // The placeholder would be a child that a menu must not have.
    Menu: { defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { position: 'right' } },
    Skeleton: { defaultProps: { radius: 'md' } },
  },
})

export const wholeTheme = mergeMantineTheme(DEFAULT_THEME, theme)

/** What the library's own variables do not say: our paper and its lines. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f7f5f0',
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-anchor': linnet[7],
    '--mantine-color-error': linnet[7],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-default-border': gray[3],
    '--surface': '#fffefb',
    '--line': gray[2],
    '--accent': linnet[7],
    ...dangerous('#c92a2a', '#b02525', '#c92a2a'),
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-anchor': '#f08b8b',
    '--mantine-color-error': '#f08b8b',
    '--mantine-color-placeholder': dark[3],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-disabled': dark[5],
    '--surface': dark[6],
    '--line': dark[5],
    '--accent': '#f08b8b',
    ...dangerous('#c92a2a', '#b02525', '#ff8787'),
    '--mantine-color-gray-light': 'rgba(162, 166, 173, 0.14)',
    '--mantine-color-gray-light-hover': 'rgba(162, 166, 173, 0.2)',
    '--mantine-color-linnet-text': '#f08b8b',
    '--mantine-color-linnet-light': 'rgba(240, 139, 139, 0.13)',
    '--mantine-color-linnet-light-hover': 'rgba(240, 139, 139, 0.18)',
    '--mantine-color-linnet-light-color': linnet[2],
  },
})

/** Red that is legible with white on it, and as text on a card: that of the library is neither. */
function dangerous(filled: string, hover: string, text: string) {
  return {
    '--mantine-color-red-filled': filled,
    '--mantine-color-red-filled-hover': hover,
    '--mantine-color-red-6': text,
    '--mantine-color-red-text': text,
    '--mantine-color-red-light-color': text,
  }
}
