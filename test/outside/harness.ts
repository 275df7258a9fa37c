import { boot as bootOurs } from '../harness.ts'
import { outside } from './installed-tags.ts'

export type { Harness } from '../harness.ts'

/** The harness of all other tests, with a Linnet that comes without the tags. */
export const boot: typeof bootOurs = (plugins, options) =>
  bootOurs(plugins, { outside, ...options })
