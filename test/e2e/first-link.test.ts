import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, temporaryFolder } from './program.ts'
import { serve } from './server.ts'

it('is made by the commands of the README, each as it stands there', async () => {
  const server = await serve({ admin: false })
  const { setupCode } = await server.logged(/setup code/)
  const cwd = temporaryFolder()
  const bash = (script: string) =>
    execFileSync('bash', ['-euc', script], { cwd, encoding: 'utf8', stdio: 'pipe' })
  const [setUp = '', makeToken = '', makeLink = '', read = ''] = commands().map(it =>
    it.replaceAll('localhost:8080', new URL(server.url).host),
  )

  const account = JSON.parse(bash(setUp.replace('CODE', String(setupCode))))
  expect(account.data).toMatchObject({ email: 'you@example.org', isAdmin: true })
  const { token } = JSON.parse(bash(makeToken)).data
  const link = JSON.parse(bash(makeLink.replace('TOKEN', token))).data
  expect(link.originalUrl).toBe('https://example.com/?q=1')
  const { status, headers } = await server.get(`/${link.shortCode}`)
  expect([status, headers.get('location')]).toEqual([302, link.originalUrl])
  const visits = () => JSON.parse(bash(read.replace('TOKEN', token))).data.totals.visits
  await expect.poll(visits).toBe(1)
})

/** The commands of the README's block with `curl`. */
function commands(): readonly string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, block = ''] = /^```sh\n(# Create the first admin.*?)^```$/ms.exec(readme) ?? []
  const found = block.split(/\n\n/)
  expect(found).toHaveLength(4)
  return found
}
