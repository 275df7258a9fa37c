import { afterEach, describe, expect, it } from 'vitest'
import { checkPlugin } from '../../../core/kernel/load/check-plugin.ts'
import { loadPlugins } from '../../../core/kernel/load/load-plugins.ts'
import { claim, definePlugin, type Page, type Plugin, refuse, text } from '../../../core/plugin.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness | undefined
afterEach(async () => {
  await linnet?.stop()
  linnet = undefined
})

const page: Page = {
  kind: 'page',
  heading: 'About <this>',
  rows: [{ label: 'Who', value: '"Ada" & <script>' }],
  link: { label: 'Go <on>', url: 'https://example.com/?a=1&b=2' },
}

const viewing = (feature: Plugin['feature'], suffix: string, show: () => Page): Plugin =>
  definePlugin({ feature, about: 'A plugin for a test.', views: { [suffix]: show } })

async function seen(show: () => Page) {
  linnet = await boot(viewing('a.views', '~info', show))
  const link = await linnet.create()
  return linnet.visit(`${link.shortCode}~info`)
}

describe('a view', () => {
  it('means by each of its texts only the text itself', async () => {
    const { status, text } = await seen(() => page)
    expect(status).toBe(200)
    expect(text).toContain('<h1>About &lt;this&gt;</h1>')
    expect(text).toContain('<dd>&quot;Ada&quot; &amp; &lt;script&gt;</dd>')
    expect(text).toContain(
      'href="https://example.com/?a=1&amp;b=2" rel="noreferrer">Go &lt;on&gt;<',
    )
  })

  it('that fails is a page that says so', async () => {
    const { status, text } = await seen(() => {
      throw new Error('boom')
    })
    expect(status).toBe(503)
    expect(text).not.toContain('boom')
    expect(linnet?.log.join()).toContain('a.views view failed: boom')
  })

  it('is not shown of a link on which a guard claims, nor does HEAD name its address', async () => {
    let claims = 0
    const counting = definePlugin({
      feature: 'a.counting',
      about: 'A plugin for a test.',
      guard: () => () =>
        claim(() => {
          claims += 1
          return undefined
        }),
    })
    linnet = await boot([counting, viewing('a.views', '~info', () => page)])
    const link = await linnet.create()
    const head = await linnet.visit(link, { method: 'HEAD' })
    expect([head.status, head.location]).toEqual([302, undefined])
    const view = await linnet.visit(`${link.shortCode}~info`)
    expect(view.status).toBe(403)
    expect(view.text).not.toContain('example.com')
    expect(claims).toBe(0)
    expect((await linnet.visit(link)).location).toBe('https://example.com/')
    expect(claims).toBe(1)
  })

  it('never leads to what is no web address', async () => {
    const { status, text } = await seen(() => ({
      ...page,
      link: { label: 'Go', url: 'javascript:alert(1)' },
    }))
    expect(status).toBe(503)
    expect(text).not.toContain('javascript')
  })

  it('that is open shows where a guard shuts, without what was counted or asked', async () => {
    let asked = 0
    const guarding = definePlugin({
      feature: 'a.guarding',
      about: 'A plugin for a test.',
      fields: { until: text({ label: 'Until' }) },
      guard: () => () => {
        asked += 1
        return refuse('shut', 'It is shut.', 403)
      },
    })
    const open = definePlugin({
      feature: 'a.open',
      about: 'A plugin for a test.',
      unstable: {
        openViews: { '~hours': ({ link }) => ({ ...page, heading: link.shortCode }) },
      },
    })
    linnet = await boot([guarding, open, viewing('a.views', '~info', () => page)])
    const link = await linnet.create({ until: 'noon' })
    const { status, text: html } = await linnet.visit(`${link.shortCode}~hours`)
    expect([status, asked]).toEqual([200, 0])
    expect(html).toContain(`<h1>${link.shortCode}</h1>`)
    expect((await linnet.visit(`${link.shortCode}~info`)).status).toBe(403)
    expect((await linnet.visit('none~hours')).status).toBe(404)
    const off = await linnet.restart([open])
    expect((await off.visit(`${link.shortCode}~hours`)).status).toBe(503)
  })

  it.each(['x', '-', '', '+1', '/about', '+a b'])('is not named %j', suffix => {
    expect(
      checkPlugin(
        viewing('a.views', suffix, () => page),
        'a.views',
      ),
    ).toEqual([expect.stringContaining(`has a view "${suffix}"`)])
  })

  it('has a name that no other plugin takes', async () => {
    const features = ['a.one', 'b.two'] as const
    const registry = Object.fromEntries(
      features.map(it => [it, async () => ({ default: viewing(it, '+', () => page) })]),
    )
    const { mistakes } = await loadPlugins(registry, features)
    expect(mistakes).toEqual(['a.one and b.two both have the view +. Rename one.'])
  })
})
