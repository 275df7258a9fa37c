import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { makeSecret, signedHeaders } from '../../../../plugins/developer/webhooks/secrets.ts'
import { isNight } from '../../../at-night.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../../..')
const document = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
// Within the project, so that the packages are found.
const folder = mkdtempSync(join(root, 'node_modules/.webhooks-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The program below a sentence of the document. */
function shownIn(language: string, after: string): string {
  const from = document.slice(document.indexOf(after))
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(from)?.[1] ?? ''
}

const secret = makeSecret()
const body = JSON.stringify({ type: 'link.created', data: { id: 'lnk_x', title: 'Frühling' } })
const headers = signedHeaders('evt_1', new Date(), body, [makeSecret(), secret])
const messages = [
  { body, headers, secret, isGenuine: true },
  { body: body.replace('created', 'deleted'), headers, secret, isGenuine: false },
  { body, headers, secret: makeSecret(), isGenuine: false },
]

const isThere = (program: string) => spawnSync(program, ['version']).error === undefined

describe('the documented way to verify a message', () => {
  it('in Node takes those that are genuine', async () => {
    const file = join(folder, 'receiver.mjs')
    const program = shownIn('js', 'In Node').replace(
      '.listen(process.env.PORT)',
      '.listen(0, function () { process.send(this.address().port) })',
    )
    writeFileSync(file, program)
    const receiver: ChildProcess = spawn(process.execPath, [file], {
      env: { ...process.env, SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    try {
      const [port] = await once(receiver, 'message')
      for (const { body, isGenuine } of messages.slice(0, 2)) {
        const url = `http://localhost:${port}/`
        const { status } = await fetch(url, { method: 'POST', body, headers })
        expect(status).toBe(isGenuine ? 204 : 401)
      }
    } finally {
      receiver.kill()
    }
  })

  it.runIf(isNight && isThere('python3'))('in Python takes those that are genuine', async () => {
    const program = `${shownIn('python', 'In Python')}
import json, sys
message = json.loads(sys.argv[1])
print(is_genuine(message["secret"], message["headers"], message["body"].encode()))
`
    for (const message of messages) {
      const { stdout } = await run('python3', ['-c', program, JSON.stringify(message)])
      expect(stdout).toBe(message.isGenuine ? 'True\n' : 'False\n')
    }
  })

  it.skipIf(!isThere('openssl'))('in a shell takes those that are genuine', async () => {
    const program = shownIn('sh', 'In a shell')
    for (const { body, headers, secret, isGenuine } of messages) {
      writeFileSync(join(folder, 'body'), body)
      const env = {
        ...process.env,
        SECRET: secret,
        ID: headers['webhook-id'],
        TIMESTAMP: headers['webhook-timestamp'],
        SIGNATURE: headers['webhook-signature'],
      }
      const { stdout } = await run('sh', ['-c', program], { cwd: folder, env })
      expect(stdout).toBe(isGenuine ? 'genuine\n' : 'forged\n')
    }
  })
})
