import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Writes what the API is, with all plugins that come with Linnet: the OpenAPI document, and the Python client that is made
 * from it. Without Python, resolves to what is missing for the client.
 *
 * @param {string} folder of the files
 * @returns {Promise<string | undefined>}
 */
export async function describeApi(folder) {
  const { boot } = await import(resolve('dist/harness.js'))
  const { registry } = await import(resolve('dist/inside.js'))
  const linnet = await boot(
    await Promise.all(Object.values(registry).map(async load => (await load()).default)),
  )
  const { body } = await linnet.api('GET', '/openapi.json')
  await linnet.stop()
  const document = join(folder, 'linnet-openapi.json')
  writeFileSync(document, `${JSON.stringify(body, null, 2)}\n`)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  try {
    execFileSync('python3', ['client/python/make_wheel.py', document, version, folder])
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return 'python3'
  }
  return undefined
}
