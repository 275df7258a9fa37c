import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { emptyHome } from './terminal.ts'

export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined

/** The address of a server whose certificate was signed by nobody but itself. */
export async function untrustedServer(): Promise<string> {
  const folder = emptyHome().HOME
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const made = ['req', '-x509', ...curve, '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', cert]
  execFileSync('openssl', made, { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) })
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}
