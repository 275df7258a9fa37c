import { findPrograms, startServer } from './server.mjs'

/** One server for all files: each test has a database of its own there. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startServer(findPrograms() ?? '')
  process.env.LINNET_TEST_DATABASE_URL = server.url()
  return () => server.stop()
}
