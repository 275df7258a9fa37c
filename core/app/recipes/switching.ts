import type { LastingRecipes } from '../parts/parts.ts'
import { createSwitcher } from '../switching/create-switcher.ts'

/** What has other plugins run while requests go on. */
export const switchingRecipes = { switcher: createSwitcher } satisfies Partial<LastingRecipes>
