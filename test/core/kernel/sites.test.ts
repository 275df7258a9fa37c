import { describe, expect, it } from 'vitest'
import { checkPlugin } from '../../../core/kernel/load/check-plugin.ts'
import { loadPlugins } from '../../../core/kernel/load/load-plugins.ts'
import { definePlugin, type Plugin, type Site } from '../../../core/plugin.ts'

const folder = new URL('./site/', import.meta.url)

const serving = (feature: Plugin['feature'], site: Site): Plugin =>
  definePlugin({ feature, about: 'Serve pages of its own.', site })

describe('a site', () => {
  it.each(['', '/shop', 'Shop', 'a/b', 'a b', '..', 'api', 'health'])('is not at "%s"', path => {
    expect(checkPlugin(serving('a.shop', { path, folder }), 'a.shop')).toEqual([
      expect.stringContaining(`a.shop has its site at "${path}". Use one word`),
    ])
  })

  it('is in a folder, named as one', () => {
    const file = new URL('./site', import.meta.url)
    expect(checkPlugin(serving('a.shop', { path: 'shop', folder: file }), 'a.shop')).toEqual([
      expect.stringContaining('a.shop has a site without a folder'),
    ])
  })

  it('has a path that no other plugin takes', async () => {
    const features = ['a.one', 'b.two'] as const
    const registry = Object.fromEntries(
      features.map(it => [it, async () => ({ default: serving(it, { path: 'shop', folder }) })]),
    )
    const { mistakes } = await loadPlugins(registry, features)
    expect(mistakes).toEqual(['a.one and b.two both have the path /shop. Rename one.'])
  })
})
