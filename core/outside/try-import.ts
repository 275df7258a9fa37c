import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { within } from '../lib/async/within.ts'
import { importMs } from './import-plugin.ts'
import { linnetUrls } from './resolve-linnet.ts'

/** What the thread runs. It says nothing of a failure: whoever imports the file next is told all about it. */
const source = `
const { registerHooks } = require('node:module')
const { workerData: { url, urls } } = require('node:worker_threads')
registerHooks({
  resolve: (name, context, next) =>
    Object.hasOwn(urls, name)
      ? { url: urls[name], format: 'module', shortCircuit: true }
      : next(name, context),
})
import(url).catch(() => undefined).finally(() => process.exit())
`

/**
 * Whether the import of a file comes to an end in time. It runs in a thread, which can be ended: in this one, an endless
 * loop could not.
 *
 * @param program the folder of the running program
 */
export async function importEnds(file: string, program: URL): Promise<boolean> {
  const workerData = {
    url: pathToFileURL(file).href,
    urls: Object.fromEntries(linnetUrls(program)),
  }
  const thread = new Worker(source, { eval: true, workerData, stdout: true, stderr: true })
  const ended = once(thread, 'exit').then(
    () => true,
    () => true,
  )
  const isOver = await within(importMs, ended, false)
  await thread.terminate()
  return isOver
}
