import { open } from 'node:fs/promises'

/** Make new names in a folder durable. Windows neither needs it nor can open a folder. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
