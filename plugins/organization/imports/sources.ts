import type { Source } from './source.ts'
import { bitly } from './sources/bitly.ts'
import { csv } from './sources/csv.ts'
import { dub } from './sources/dub.ts'
import { kutt } from './sources/kutt.ts'
import { shlink } from './sources/shlink.ts'
import { yourls } from './sources/yourls.ts'

/** The programs from which links come, in the order in which people choose from them: a line each. */
export const sources: readonly Source[] = [shlink, kutt, yourls, bitly, dub, csv]
