import type { Source } from './source.ts'
import { bitly } from './sources/bitly.ts'
import { chhoto } from './sources/chhoto.ts'
import { csv } from './sources/csv.ts'
import { dub } from './sources/dub.ts'
import { firebase } from './sources/firebase.ts'
import { kutt } from './sources/kutt.ts'
import { linnet } from './sources/linnet.ts'
import { polr } from './sources/polr.ts'
import { rebrandly } from './sources/rebrandly.ts'
import { shlink } from './sources/shlink.ts'
import { shortIo } from './sources/short-io.ts'
import { sink } from './sources/sink.ts'
import { yourls } from './sources/yourls.ts'

/** The programs from which links come, in the order in which people choose from them: a line each. */
export const sources: readonly Source[] = [
  linnet,
  shlink,
  kutt,
  yourls,
  polr,
  chhoto,
  bitly,
  dub,
  rebrandly,
  shortIo,
  sink,
  firebase,
  csv,
]
