import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../lib/sync-folder.ts'
import type { PluginFiles } from '../../plugin/unstable.ts'
import { ofStorage } from '../../storage/files/out-of-reach.ts'
import { fileNamePattern } from '../load/names.ts'

/** How many files a plugin may have, and how large each may be. */
const maxFiles = 100
const maxBytes = 256 * 1024 * 1024

/** The files of one plugin, in a folder of its own; undefined: there is none, as where nothing is kept in files. */
export function keepFiles(folder: string | undefined, feature: string): PluginFiles {
  function pathOf(name: string): string {
    if (folder === undefined) throw new Error('This instance has no folder for files of plugins.')
    if (!fileNamePattern.test(name)) {
      throw new Error(`A file cannot be called "${name}": use a name such as networks.csv.`)
    }
    return join(folder, feature, name)
  }

  async function expectRoom(own: string, name: string): Promise<void> {
    const others = (await readdir(own)).filter(it => fileNamePattern.test(it) && it !== name)
    if (others.length >= maxFiles) throw new Error(`${feature} has ${maxFiles} files already.`)
  }

  /** A disk that fails is not the fault of the plugin. */
  async function onDisk(work: () => Promise<void>): Promise<void> {
    await work().catch(error => {
      throw ofStorage(error)
    })
  }

  return {
    async replace(name, content) {
      const path = pathOf(name)
      if (content.byteLength > maxBytes) {
        throw new Error(`${name} has more than ${maxBytes} bytes.`)
      }
      const own = join(path, '..')
      await onDisk(async () => void (await mkdir(own, { recursive: true })))
      await expectRoom(own, name)
      // Workers have one folder, and may all be at it.
      const unfinished = `${path}.${randomUUID()}~`
      await onDisk(async () => {
        try {
          await write(unfinished, content)
          await rename(unfinished, path)
          await syncFolder(own)
        } finally {
          await rm(unfinished, { force: true })
        }
      })
    },
    pathOf,
    writtenAt: name => statSync(pathOf(name), { throwIfNoEntry: false })?.mtime,
    async remove(name) {
      const path = pathOf(name)
      await onDisk(() => rm(path, { force: true }))
    },
  }
}

async function write(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
