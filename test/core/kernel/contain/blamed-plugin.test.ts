import { describe, expect, it } from 'vitest'
import {
  createFindBlamedPlugin,
  createOutsideSoFar,
  isFrom,
} from '../../../../core/kernel/contain/blamed-plugin.ts'
import type { Registry } from '../../../../core/plugin.ts'

const registry = {
  'a.one': () => import('../one-X7.js' as string),
  'a.two': () => import('../folder/two.ts' as string),
} as unknown as Registry

function errorFrom(...files: string[]): Error {
  const error = new Error('boom')
  error.stack = ['Error: boom', ...files.map(file => `    at run (${file}:1:2)`)].join('\n')
  return error
}

describe('a failure that no hook caught', () => {
  const find = createFindBlamedPlugin(registry)

  it('is laid to the plugin whose file is in its stack', () => {
    expect(find(errorFrom('node:internal/timers', 'file:///app/dist/one-X7.js'))).toBe('a.one')
    expect(find(errorFrom('/app/plugins/folder/two.ts', '/app/dist/main.js'))).toBe('a.two')
  })

  it('is laid to the plugin from outside whose folder is in its stack', () => {
    const outside = [
      { root: '/data/plugins/node_modules/hours', feature: 'acme.hours' },
      { root: '/data/plugins/node_modules/hours-two', feature: 'acme.two' },
      { root: '/data/plugins/words.ts', feature: 'acme.words' },
    ]
    const find = createFindBlamedPlugin(registry, outside)
    const inPlugins = (path: string) => errorFrom(`file:///data/plugins/${path}`)
    expect(find(inPlugins('node_modules/hours-two/index.js'))).toBe('acme.two')
    expect(find(inPlugins('words.ts'))).toBe('acme.words')
    expect(find(errorFrom('/app/dist/one-X7.js'))).toBe('a.one')
  })

  it('is laid to nobody when no plugin is in its stack, or it has none', () => {
    expect(find(errorFrom('/app/dist/main.js'))).toBeUndefined()
    expect(find(undefined)).toBeUndefined()
    expect(find('a text')).toBeUndefined()
  })

  it('is our own when our files are in its stack', () => {
    expect(isFrom(errorFrom('/app/dist/main.js'), '/app/dist')).toBe(true)
    expect(isFrom(errorFrom('node:net'), '/app/dist')).toBe(false)
    expect(isFrom(undefined, '/app/dist')).toBe(false)
  })
})

describe('the plugins from outside so far', () => {
  const plugin = (root: string, isAsleep = false) => ({ root, feature: `acme.${root}`, isAsleep })

  it('are still those that were removed or switched off since the start', () => {
    const outside = createOutsideSoFar()
    outside.add([plugin('removed'), plugin('off')])
    outside.add([plugin('off', true), plugin('new')])
    expect(outside.found()).toEqual([plugin('removed'), plugin('off', true), plugin('new')])
    expect(outside.imported()).toEqual(['acme.removed', 'acme.off', 'acme.new'])
  })

  it('have run no code while they were off', () => {
    const outside = createOutsideSoFar()
    outside.add([plugin('off', true)])
    expect(outside.found()).toEqual([plugin('off', true)])
    expect(outside.imported()).toEqual([])
  })
})
