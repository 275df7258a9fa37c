import { localStorageColorSchemeManager } from '@mantine/core'

/** Where the choice of light, dark or the system's is kept. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'linnet-color-scheme' })
