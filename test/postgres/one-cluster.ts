import { rmSync } from 'node:fs'
import { findPrograms, makeCluster } from './server.mjs'

/** Test files have a server each, and copy its files from one that is made for all. */
export function setup(): () => void {
  const folder = makeCluster(findPrograms() ?? '')
  process.env.LINNET_TEST_CLUSTER = folder
  return () => rmSync(folder, { recursive: true })
}
