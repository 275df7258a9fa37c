import { expect, it } from 'vitest'
import { bundleFixture } from './fixture-program.ts'
import { createLink, serve } from './server.ts'

const feature = 'link.editOriginalUrl'

it('goes on when a plugin fails, and names it', async () => {
  const server = await serve({ program: await bundleFixture() })
  const link = (fault: string) =>
    createLink(server, { original_url: `https://example.com/${fault}` })
  const follow = async (fault: string) =>
    (await server.get(`/${(await link(fault)).shortCode}`)).status

  expect(await follow('throws')).toBe(503)
  expect(await server.logged(/in a guard/)).toMatchObject({ level: 'error', feature })
  expect(await follow('hangs')).toBe(503)
  expect(await server.logged(/no answer within 2000 ms/)).toMatchObject({ level: 'error', feature })

  const strays = () => server.log.filter(({ message }) => message.includes('outside of its hooks'))
  for (const [index, fault] of [
    'throws-later',
    'throws-no-error-later',
    'rejects-later',
  ].entries()) {
    expect(await follow(fault)).toBe(302)
    await expect.poll(strays).toHaveLength(index + 1)
  }
  expect(strays()).toMatchObject([
    { level: 'error', feature, error: { message: 'in a timer' } },
    // A thrown value without a stack does not name the plugin.
    { level: 'error', message: 'Some plugin failed outside of its hooks' },
    { level: 'error', feature, error: { message: 'in a promise' } },
  ])

  await expect(link('never-saved')).rejects.toThrow('"status":503')
  expect(await server.logged(/in validate/)).toMatchObject({ feature })
  await link('after-saving')
  expect(await server.logged(/in created/)).toMatchObject({ feature })

  expect(await follow('nothing')).toBe(302)
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})
