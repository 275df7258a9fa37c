import { expect } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { expectVisits, untilFolded } from './counted.ts'
import { createLink, type Server, serve } from './server.ts'

const links = 6
const visits = 5

/** Deletes and restores one link as fast as the server can, until it is gone. */
async function deleteAndRestore(server: Server, id: string, onStep: () => void): Promise<void> {
  for (;;) {
    const deleted = await server.api('DELETE', `/links/${id}`).catch(() => undefined)
    const restored = await server.api('POST', `/links/${id}/restore`).catch(() => undefined)
    if (!deleted || !restored) return
    expect([deleted.status, restored.status]).toEqual([204, 200])
    onStep()
  }
}

itAtNight(
  'a server that is killed while links are deleted and restored loses none of them, and no visit',
  async () => {
    let server = await serve()
    const made = []
    for (let link = 0; link < links; link += 1) made.push(await createLink(server))
    for (const { shortCode } of made) {
      for (let visit = 0; visit < visits; visit += 1) await server.get(`/${shortCode}`)
    }
    for (const { id } of made) await expectVisits(server, id, visits)
    await untilFolded(server)

    for (const steps of firstOf(1, [20, 1, 50])) {
      let done = 0
      const { promise: isTime, resolve } = Promise.withResolvers<void>()
      const onStep = () => {
        done += 1
        if (done === steps) resolve()
      }
      const all = made.map(({ id }) => deleteAndRestore(server, id, onStep))
      await isTime
      await server.kill('SIGKILL')
      await Promise.all(all)
      server = await serve({ dataDir: server.dataDir })
      for (const { id } of made) {
        expect((await server.api('POST', `/links/${id}/restore`)).status).toBe(200)
        await expectVisits(server, id, visits)
      }
      const ofAccount = async () =>
        (await server.api('GET', '/analytics?interval=24h')).body.data.totals.visits
      await expect.poll(ofAccount).toBe(links * visits)
    }
    for (const { shortCode } of made) expect((await server.get(`/${shortCode}`)).status).toBe(302)
  },
)
