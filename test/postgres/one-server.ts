import { findPrograms, startServer } from './server.mjs'

/** One server for all test files; each test has its own database on it. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startServer(findPrograms() ?? '')
  process.env.LINNET_TEST_DATABASE_URL = server.url()
  return () => server.stop()
}
