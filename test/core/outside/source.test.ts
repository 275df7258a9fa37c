import { resolve } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readSource, readSpec } from '../../../core/outside/source.ts'

const fixture = 'test/e2e/fixtures/hours'

describe('what is typed to add a plugin', () => {
  it.each([
    ['linnet-plugin-hours', 'linnet-plugin-hours', 'linnet-plugin-hours@latest'],
    ['linnet-plugin-hours@^1.2', 'linnet-plugin-hours'],
    ['linnet-plugin-hours@>=1 <3 || 5.x', 'linnet-plugin-hours'],
    ['@acme/hours', '@acme/hours', '@acme/hours@latest'],
    ['@acme/hours@next', '@acme/hours'],
    ['hours@next-2_0', 'hours'],
    ['hours@v1.2.3-beta.1', 'hours'],
    ['hours@1.2 - 2.x', 'hours'],
    ['hours@~1.2||>= 3.0.0', 'hours'],
    ['hours@*', 'hours'],
  ])('may be a package: %s', (typed, name, spec = typed) => {
    expect(readSource(typed)).toEqual({ kind: 'registry', name, spec })
  })

  it.each([
    ...['hours@..', 'hours@.', 'hours@../hours', 'hours@~', 'hours@~/x', 'hours@/', 'hours@-'],
    ...['hours@foo.tgz', 'hours@1.0.0-foo.tgz', 'hours@x.TAR', 'hours@1.tar.gz', 'hours.tgz'],
    ...['hours.tgz@latest', 'hours@next.1', 'hours@1.2.3.4', 'hours@1 ||', 'hours@>', 'hours@'],
    ...[
      'hours@file:x',
      'hours@npm:other@1',
      'hours@1 --global',
      'hours ',
      'acme/hours',
      '@acme',
      '@/x',
    ],
  ])('is no package in the registry: %j', text => {
    expect(readSpec(text)).toBeUndefined()
  })

  it('is read in no time, however long it is', () => {
    expect(readSpec(`hours@${'1 '.repeat(10_000)}!`)).toBeUndefined()
    expect(readSpec(`hours@1-${'-.'.repeat(10_000)}!`)).toBeUndefined()
  })

  it('may be a folder', () => {
    expect(readSource(`./${fixture}`)).toEqual({ kind: 'folder', path: resolve(fixture) })
  })

  it('is refused if it may mean a package or a folder here', () => {
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(resolve(fixture, '..'))
    onTestFinished(() => cwd.mockRestore())
    expect(() => readSource('hours')).toThrow(
      /^There is a folder hours here\. Enter \.\/hours for the folder, or hours@latest for/,
    )
    expect(readSource('hours@latest')).toMatchObject({ kind: 'registry', name: 'hours' })
  })

  it.each([
    ['./gone', /^There is no plugin \.\/gone\. Enter a name, such as/],
    ['gone.tgz', /^There is no plugin gone\.tgz\./],
    ['--global', /^There is no plugin --global\./],
    ['https://example.org/plugin.tgz', /^There is no plugin https:/],
    ['github:acme/hours', /^There is no plugin github:acme\/hours\./],
    [`./${fixture}/index.js`, /is a single file: copy it into the folder plugins/],
    ['./test/e2e', /is not a package\. Enter a folder with a package\.json, or a \.tgz/],
  ])('is refused: %s', (typed, why) => {
    expect(() => readSource(typed)).toThrow(why)
  })
})
