import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Builds the image for these platforms, such as `linux-x64`, into `linnet-image.tar` in the folder: an OCI archive, which
 * `skopeo copy --all` publishes. Returns what is missing for it, if something is.
 */
export function makeImage(folder, platforms) {
  const names = platforms.filter(it => it.startsWith('linux-')).map(it => dockerNames[it])
  const created = new Date().toISOString()
  const args = ['--build-arg', `REVISION=${revision()}`, '--build-arg', `CREATED=${created}`]
  const archive = join(folder, 'linnet-image.tar')
  const all = [...args, '--platform', names.join(','), '--output', `type=oci,dest=${archive}`, '.']
  if (spawnSync('docker', ['buildx', 'version']).status !== 0)
    return 'docker with its plugin buildx'
  const { status } = spawnSync('docker', ['buildx', 'build', ...all], { stdio: 'inherit' })
  return status === 0 ? undefined : 'an image of Node that can be fetched'
}

const dockerNames = { 'linux-x64': 'linux/amd64', 'linux-arm64': 'linux/arm64' }

function revision() {
  return spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
}
