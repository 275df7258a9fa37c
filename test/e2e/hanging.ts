import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bundleWith } from './fixture-program.ts'
import { jobNamed } from './long-work.ts'
import { temporaryFolder } from './program.ts'
import { serve } from './server.ts'

/**
 * A server with a job, a request and a look into a pipe that never end; `begun` resolves when the requests are over.
 */
export async function serveHanging() {
  const program = await bundleWith('acme.hangs', 'hanging-plugin.ts')
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const server = await serve({ program, env: { ACME_PIPE: pipe } })
  const requests = [
    server.api('POST', '/admin/jobs/acme.hangs.hang/run'),
    server.api('GET', '/hangs'),
  ].map(request => request.catch(() => undefined))
  await expect.poll(() => jobNamed(server, 'acme.hangs.hang')).toMatchObject({ running: true })
  return { server, begun: Promise.all(requests) }
}
