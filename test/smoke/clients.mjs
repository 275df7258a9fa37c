// `node run.mjs smoke client` runs this with the paths of Deno and Bun: the client calls a server from each, and from
// this Node.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const [deno, bun] = process.argv.slice(2)
const root = resolve(import.meta.dirname, '../..')
const script = join(import.meta.dirname, 'client.mjs')
const runtimes = {
  Node: [process.execPath, script],
  Deno: [deno, 'run', '--no-config', '--allow-net', '--allow-env', script],
  Bun: [bun, script],
}
const token = `lnt_${'smoke'.repeat(9)}`
const dataDir = mkdtempSync(join(tmpdir(), 'linnet-smoke-'))
const server = spawn(process.execPath, [join(root, 'dist/main.js'), 'serve'], {
  env: {
    LINNET_PORT: '0',
    LINNET_HOST: '127.0.0.1',
    LINNET_DATA_DIR: dataDir,
    LINNET_ADMIN_EMAIL: 'ada@example.org',
    LINNET_ADMIN_PASSWORD: 'seven lean herons',
    LINNET_BOOTSTRAP_TOKEN: token,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const env = { ...process.env, LINNET_URL: await readyAt(server), LINNET_TOKEN: token }
  for (const [name, [file, ...args]] of Object.entries(runtimes)) {
    const [code] = await once(spawn(file, args, { env, stdio: 'inherit' }), 'exit')
    if (code !== 0) throw new Error(`The client does not work in ${name}.`)
    console.log(`The client works in ${name}.`)
  }
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(dataDir, { recursive: true })
}

async function readyAt({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const { message, url } = JSON.parse(line)
    if (!message.startsWith('Linnet is ready')) continue
    stdout.resume()
    return url
  }
  throw new Error('The server ended before it was ready.')
}
