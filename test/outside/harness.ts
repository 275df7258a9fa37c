import { boot as bootOurs } from '../harness.ts'
import { outside } from './installed-tags.ts'

export type { Harness } from '../harness.ts'

/** As in all other tests, in a Linnet that the tags did not come with. */
export const boot: typeof bootOurs = (plugins, options) =>
  bootOurs(plugins, { outside, ...options })
