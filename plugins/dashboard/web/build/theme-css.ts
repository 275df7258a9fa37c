import {
  convertCssVariables,
  deepMerge,
  defaultCssVariablesResolver,
  em,
  keys,
  px,
} from '@mantine/core'
import type { Plugin } from 'vite'
import { resolveVariables, wholeTheme } from '../theme/theme.ts'

const id = 'virtual:theme.css'
/** The components that would write the theme into the page; they are not used. */
const writers =
  /\/@mantine\/core\/esm\/core\/MantineProvider\/.*\/(MantineCssVariables|MantineClasses)\.mjs$/

/** The theme as a stylesheet, written at build time: `import 'virtual:theme.css'`. */
export function themeCss(): Plugin {
  return {
    name: 'linnet-theme-css',
    resolveId: asked => (asked === id ? `\0${id}` : null),
    load(asked) {
      if (asked === `\0${id}`) return variables() + visibility()
      const [, writer] = writers.exec(asked) ?? []
      return writer === undefined ? null : `export const ${writer} = () => null`
    },
  }
}

/** What `MantineCssVariables` would write into the page. */
function variables(): string {
  const own = deepMerge(defaultCssVariablesResolver(wholeTheme), resolveVariables(wholeTheme))
  return convertCssVariables({
    variables: own.variables,
    light: { ...own.light, '--mantine-color-scheme': 'light' },
    dark: { ...own.dark, '--mantine-color-scheme': 'dark' },
  })
}

/** What `MantineClasses` would: the classes behind `hiddenFrom` and `visibleFrom`. */
function visibility(): string {
  const { breakpoints } = wholeTheme
  return keys(breakpoints)
    .map(name => {
      const from = px(breakpoints[name]) as number
      return `@media (max-width: ${em(from - 0.1)}) { .mantine-visible-from-${name} { display: none !important } }
@media (min-width: ${em(from)}) { .mantine-hidden-from-${name} { display: none !important } }`
    })
    .join('\n')
}
