import { randomBytes, scryptSync } from 'node:crypto'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { createLink, type Server, serve } from '../e2e/server.ts'

const password = 'open sesame'
/** More than a guard has when it does not wait for a guess. */
const leastMs = 2_500

/** The password as it is stored, at a cost of `p`; the usual one is 10. */
function hashAt(p: number): string {
  const salt = randomBytes(16)
  const key = scryptSync(password, salt, 32, { N: 8_192, r: 8, p, maxmem: 2 ** 25 })
  return `scrypt:8192:8:${p}:${salt.toString('base64url')}:${key.toString('base64url')}`
}

/** A new link with the password at this cost. */
async function protect(server: Server, p: number): Promise<string> {
  const { shortCode } = await createLink(server, { password })
  const db = new BetterSqlite3(join(server.dataDir, 'linnet.db'))
  const fieldsOf = db.prepare<[string], string>('select fields from links where short_code = ?')
  const fields = fieldsOf.pluck().get(shortCode) ?? ''
  const costly = fields.replace(/scrypt:[^"]*/, hashAt(p))
  db.prepare('update links set fields = ? where short_code = ?').run(costly, shortCode)
  db.close()
  expect(costly).not.toBe(fields)
  return shortCode
}

it('a link with a password opens where one key takes seconds, and for two visitors at once', async () => {
  const server = await serve({ atFullCost: true })
  const follow = async (code: string, given: string) => {
    const startedAt = performance.now()
    const { status } = await fetch(`${server.url}/${code}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password: given }),
    })
    return { status, tookMs: Math.round(performance.now() - startedAt) }
  }
  for (let p = 40; ; p = Math.ceil(1.5 * p)) {
    const code = await protect(server, p)
    const alone = await follow(code, password)
    expect(alone.status).toBe(303)
    if (alone.tookMs < leastMs) continue
    const both = await Promise.all([follow(code, password), follow(code, password)])
    const wrong = await follow(code, 'open barley')
    console.log({ p, alone, both, wrong })
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    expect(wrong.status).toBe(403)
    break
  }
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
})
