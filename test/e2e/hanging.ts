import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bundleWith } from './fixture-program.ts'
import { temporaryFolder } from './program.ts'
import { type Server, serve } from './server.ts'

/** A server in which a job, a request and a look into a pipe were begun that never end; `begun` when it has ended. */
export async function serveHanging() {
  const program = await bundleWith('acme.hangs', 'hanging-plugin.ts')
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const server = await serve({ program, env: { ACME_PIPE: pipe } })
  const requests = [
    server.api('POST', '/admin/jobs/acme.hangs.hang/run'),
    server.api('GET', '/hangs'),
  ].map(request => request.catch(() => undefined))
  await expect.poll(() => isRunning(server, 'acme.hangs.hang')).toBe(true)
  return { server, begun: Promise.all(requests) }
}

async function isRunning(server: Server, name: string): Promise<boolean> {
  const { body } = await server.api('GET', '/admin/jobs')
  const jobs: readonly { name: string; running: boolean }[] = body.data
  return jobs.some(job => job.name === name && job.running)
}
