import { expect } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { expectAllBrought, folderWithImporter, importAll, links } from './imports.ts'
import { serve } from './server.ts'

itAtNight('an import that is killed and begun again counts every visit once', async () => {
  const dataDir = folderWithImporter()
  // In the middle of making links, and in the middle of adding visits to them.
  for (const steps of firstOf(2, [links / 2, 3 * links, 1, links])) {
    const server = await serve({ dataDir })
    let done = 0
    const { promise: isTime, resolve } = Promise.withResolvers<void>()
    const importing = importAll(server, () => {
      done += 1
      if (done === steps) resolve()
    }).catch(() => undefined)
    await isTime
    await server.kill('SIGKILL')
    await importing
  }
  const server = await serve({ dataDir })
  await importAll(server)
  await expectAllBrought(server)
  await server.kill('SIGKILL')
  const restarted = await serve({ dataDir })
  await expectAllBrought(restarted)
  expect(restarted.log.filter(({ level }) => level === 'error')).toEqual([])
})
