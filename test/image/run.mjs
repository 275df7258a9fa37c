// `node run.mjs image` builds the image from the Dockerfile and runs it as in compose.yaml, with Debian's buildah,
// podman and runc.
import { match, ok, strictEqual } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addedSmallPlugin, makeSmallPlugin } from '../smoke/small-plugin.mjs'
import { ensureBase } from './base.mjs'
import { baseTag, build, image, logOf, podman, startContainer } from './engine.mjs'

const token = `lnt_${'image'.repeat(9)}`
const original = 'https://example.com/a?b=c'
const volume = 'linnet-under-test'
const maxMegabytes = 25

const missing = ['buildah', 'podman', 'runc', 'debootstrap'].filter(
  tool => spawnSync('which', [tool]).status !== 0,
)
if (missing.length > 0) {
  console.log(`THE IMAGE IS NOT TESTED. Missing: apt-get install ${missing.join(' ')}`)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'linnet-image-'))
// The user of a container, whoever that is, may read mounted files.
chmodSync(folder, 0o755)
const containers = []
try {
  ensureBase(baseTag())
  build(folder)
  await isSmallAndSaysWhatItIs()
  const container = await followsLinksHardened()
  await hasTheLinkAfterAKill(container)
  await stops(container)
  await saysWhoMayNotWrite()
  console.log('The image holds what it promises.')
} finally {
  for (const container of containers) podman('rm', '--force', '--time', '0', container)
  podman('volume', 'rm', '--force', volume)
  rmSync(folder, { recursive: true })
}

async function isSmallAndSaysWhatItIs() {
  const { Config, Healthcheck, Size } = inspect(image)
  strictEqual(Config.User, '1000:1000')
  strictEqual(Healthcheck.Test.join(' '), 'CMD linnet health')
  strictEqual(Config.Labels['org.opencontainers.image.title'], 'Linnet')
  const added = (Size - inspect(`docker.io/library/node:${baseTag()}`).Size) / 1e6
  console.log(`Linnet adds ${added.toFixed(1)} MB to the image of Node.`)
  ok(added < maxMegabytes)
}

/** Follows links with its secrets in files and write access only to its volume. */
async function followsLinksHardened() {
  const mounts = [`${secrets()}:/run/secrets:ro`, `${plugin()}:/plugin:ro`]
  const env = {
    LINNET_ADMIN_EMAIL: 'ada@example.org',
    LINNET_ADMIN_PASSWORD_FILE: '/run/secrets/password',
    LINNET_BOOTSTRAP_TOKEN_FILE: '/run/secrets/token',
  }
  const container = start({ volume, env, mounts })
  const { url, port } = await ready(container)
  const body = JSON.stringify({ original_url: original, short_code: 'kept' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const created = await fetch(`${url}/api/v1/links`, { method: 'POST', headers, body })
  strictEqual(created.status, 201)
  await follows(url)
  strictEqual((await fetch(`${url}/dashboard/`)).status, 200)
  match(podman('exec', '--env', `LINNET_PORT=${port}`, container, 'linnet', 'health'), /"status"/)
  match(podman('exec', container, 'linnet', 'backup'), /^\/data\/backups\/manual-.+\.db$/)
  match(podman('exec', container, 'linnet', 'plugins', 'add', '/plugin'), addedSmallPlugin)
  match(podman('exec', container, 'cat', '/proc/1/status'), /^CapEff:\s0+$/m)
  return container
}

async function hasTheLinkAfterAKill(container) {
  podman('kill', '--signal', 'KILL', container)
  podman('wait', container)
  const before = logOf(container).lines.length
  podman('start', container)
  await follows((await ready(container, before)).url)
}

async function stops(container) {
  podman('stop', '--time', '15', container)
  strictEqual(inspect(container).State.ExitCode, 0)
  strictEqual(logOf(container).lines.at(-1).message, 'Stopped')
}

async function saysWhoMayNotWrite() {
  const foreign = join(folder, 'foreign')
  mkdirSync(foreign, { mode: 0o755 })
  for (const [given, uid] of [
    [{ volume, user: '4242:4242' }, 4242],
    [{ volume: foreign }, 1000],
  ]) {
    const container = start(given)
    strictEqual(podman('wait', container), '1')
    const { stderr } = logOf(container)
    const said = `^/data cannot be read and written.+uid ${uid}.+is mounted at /data\\..+chown -R ${uid}:`
    match(stderr, new RegExp(said))
    strictEqual(stderr.trim().split('\n').length, 1)
  }
}

function start(given) {
  const container = startContainer(given)
  containers.push(container)
  return container
}

/** The line that names the address, from the line `from` on. */
async function ready(container, from = 0) {
  for (let turn = 0; turn < 300; turn += 1) {
    const { lines, stderr } = logOf(container)
    const line = lines.slice(from).find(({ message }) => message.startsWith('Linnet is ready'))
    if (line) return line
    if (inspect(container).State.Running !== true) throw new Error(`It ended: ${stderr}`)
    await pause(200)
  }
  throw new Error(`It was not ready within a minute: ${JSON.stringify(logOf(container))}`)
}

async function follows(url) {
  const answer = await fetch(`${url}/kept`, { redirect: 'manual' })
  strictEqual(answer.status, 302)
  strictEqual(answer.headers.get('location'), original)
}

function inspect(name) {
  return JSON.parse(podman('inspect', name))[0]
}

function secrets() {
  const path = join(folder, 'secrets')
  mkdirSync(path)
  writeFileSync(join(path, 'password'), 'seven lean herons\n')
  writeFileSync(join(path, 'token'), `${token}\n`)
  return path
}

function plugin() {
  const path = join(folder, 'plugin')
  makeSmallPlugin(path)
  return path
}
