import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, temporaryFolder } from './program.ts'
import { type Server, serve } from './server.ts'

it('is made by the commands of the README, each as it stands there', async () => {
  const server = await serve({ admin: false })
  const { setupCode } = await server.logged(/setup code/)
  const bash = shell(server)
  const commands = commandsOf('README.md', '# Create the first admin')
  expect(commands).toHaveLength(4)
  const [setUp = '', makeToken = '', makeLink = '', read = ''] = commands

  const account = JSON.parse(bash(setUp, { CODE: String(setupCode) }))
  expect(account.data).toMatchObject({ email: 'you@example.org', isAdmin: true })
  const { token } = JSON.parse(bash(makeToken)).data
  const link = JSON.parse(bash(makeLink, { TOKEN: token })).data
  expect(link.originalUrl).toBe('https://example.com/?q=1')
  const { status, headers } = await server.get(`/${link.shortCode}`)
  expect([status, headers.get('location')]).toEqual([302, link.originalUrl])
  const visits = () => JSON.parse(bash(read, { TOKEN: token })).data.totals.visits
  await expect.poll(visits).toBe(1)
})

/** Runs commands for the port 8080 in a folder of their own, with words in capitals replaced, and returns what they print. */
function shell(server: Server) {
  const cwd = temporaryFolder()
  return (script: string, words: Readonly<Record<string, string>> = {}) => {
    const here = script.replaceAll('localhost:8080', new URL(server.url).host)
    const filled = Object.entries(words).reduce(
      (text, [word, it]) => text.replaceAll(word, it),
      here,
    )
    return execFileSync('bash', ['-euc', filled], { cwd, encoding: 'utf8', stdio: 'pipe' })
  }
}

/** The commands of a document's block that begins with a comment. */
function commandsOf(file: string, comment: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const [, block = ''] = new RegExp(`^\`\`\`sh\n(${comment}.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  return block.split(/\n\n/)
}
