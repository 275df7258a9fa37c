import {
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  mergeMantineTheme,
} from '@mantine/core'
import { dark, gray, linnet } from './colors.ts'

/**
 * The look of the dashboard, related to that of the pages that visitors see (`core/http/pages/look.ts`). The
 * build writes its variables into a stylesheet, because the policy refuses inline styles.
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
    // Menus, charts and badges need only one line; a tooltip must not be in the way.
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Modal: { defaultProps: { centered: true, radius: 'lg' } },
    // The placeholder would be a child that the menu role does not allow.
    Menu: { defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { position: 'right' } },
    Skeleton: { defaultProps: { radius: 'md' } },
  },
})

export const wholeTheme = mergeMantineTheme(DEFAULT_THEME, theme)

/** Colours that the library's own variables do not cover: our paper and its lines. */
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

/** A red that is legible under white text and as text on a card; the library's is neither. */
function dangerous(filled: string, hover: string, text: string) {
  return {
    '--mantine-color-red-filled': filled,
    '--mantine-color-red-filled-hover': hover,
    '--mantine-color-red-6': text,
    '--mantine-color-red-text': text,
    '--mantine-color-red-light-color': text,
  }
}
