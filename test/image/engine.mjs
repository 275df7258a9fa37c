import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const image = 'localhost/linnet-under-test'

/** Runs a program to its end and returns its output; throws if it fails. */
export function run(file, args) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  throw new Error(`${file} ${args.join(' ')} ended with ${error ?? status}:\n${stderr}`)
}

export const podman = (...args) => run('podman', args)

/**
 * The image, as the Dockerfile says. npm in it fetches from where npm of this machine does.
 *
 * @param {string} folder for what is mounted meanwhile
 */
export function build(folder) {
  const npmrc = join(folder, 'npmrc')
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const cafile = authorities === undefined ? '' : 'cafile=/tmp/authorities.pem\n'
  writeFileSync(npmrc, `registry=${run('npm', ['config', 'get', 'registry'])}\n${cafile}`)
  const volumes = [
    `${npmrc}:/usr/local/etc/npmrc:ro`,
    ...(authorities === undefined ? [] : [`${realpathSync(authorities)}:/tmp/authorities.pem:ro`]),
  ].flatMap(it => ['--volume', it])
  // OCI images have no HEALTHCHECK.
  const options = ['--format', 'docker', '--layers', '--isolation', 'chroot', '--network', 'host']
  run('buildah', ['bud', ...options, ...volumes, '--tag', image, '.'])
}

/** The Node tag that the Dockerfile builds on. */
export function baseTag() {
  return /^ARG BASE=(.+)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1]
}

/** The rights of a container, as in compose.yaml. */
const hardened = [
  ...['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
  ...['--tmpfs', '/tmp', '--memory', '512m', '--pids-limit', '256'],
]
/** The options that an engine needs if it runs in a container itself. */
const modest = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024', '--runtime', 'runc']

/** Starts a container of the image; returns its name. */
export function startContainer({ volume, env = {}, mounts = [], user = undefined }) {
  const set = { LINNET_PORT: '0', LINNET_HOST: '127.0.0.1', ...env }
  return podman(
    ...['run', '--detach', '--network', 'host', ...hardened, ...modest],
    ...Object.entries(set).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...[`${volume}:/data`, ...mounts].flatMap(it => ['--volume', it]),
    ...(user === undefined ? [] : ['--user', user]),
    image,
  )
}

/** The log of a container as objects; a line that is not JSON stays text. */
export function logOf(container) {
  const { stdout, stderr } = spawnSync('podman', ['logs', container], { encoding: 'utf8' })
  return { stderr, lines: stdout.split('\n').filter(Boolean).map(parse) }
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return { message: line }
  }
}
