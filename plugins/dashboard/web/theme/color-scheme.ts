import { localStorageColorSchemeManager } from '@mantine/core'

/** Where the browser keeps the choice of light, dark or system. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'linnet-color-scheme' })
