import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type RunTimeSettings, UnusableSettings } from '../../../core/settings/settings.ts'
import { openSettingsFile } from '../../../core/settings/settings-file.ts'
import { settingsInMemory } from '../../open-storage.ts'

const root = mkdtempSync(join(tmpdir(), 'linnet-settings-'))
afterAll(() => rmSync(root, { recursive: true }))

/** A path in a folder of its own; with `content`, a file that is there already. */
function aPath(content?: string): string {
  const path = join(mkdtempSync(join(root, 'data-')), 'settings.json')
  if (content !== undefined) writeFileSync(path, content)
  return path
}

const off = (name: string) => (settings: RunTimeSettings) => ({
  ...settings,
  plugins: { ...settings.plugins, off: [...(settings.plugins?.off ?? []), name] },
})

describe.each([
  ['a file', () => openSettingsFile(aPath())],
  ['memory', async () => settingsInMemory()],
])('settings in %s', (_, open) => {
  test('are empty at first', async () => {
    expect((await open()).read()).toEqual({})
  })

  test('change when asked to, one change after the other', async () => {
    const settings = await open()
    await Promise.all(['link.a', 'link.b', 'link.c'].map(name => settings.update(off(name))))
    expect(settings.read()).toEqual({ plugins: { off: ['link.a', 'link.b', 'link.c'] } })
  })

  test('tell their listeners when the change is there', async () => {
    const settings = await open()
    const heard: unknown[] = []
    settings.onChange(() => heard.push(settings.read()))
    const changed = await settings.update(off('link.a'))
    expect(heard).toEqual([changed])
  })

  test('stay as they are when a change cannot be worked out, and take the next one', async () => {
    const settings = await open()
    const failing = settings.update(() => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await settings.update(off('link.a'))
    expect(settings.read()).toEqual({ plugins: { off: ['link.a'] } })
  })
})

describe('a settings file', () => {
  test('keeps what another process changed in it', async () => {
    const path = aPath()
    const [server, commandLine] = [await openSettingsFile(path), await openSettingsFile(path)]
    await commandLine.update(off('link.a'))
    await server.update(off('link.b'))
    expect((await openSettingsFile(path)).read()).toEqual({
      plugins: { off: ['link.a', 'link.b'] },
    })
  })

  test('loses no change when several processes change it at once', async () => {
    const path = aPath()
    const writers = await Promise.all(Array.from({ length: 4 }, () => openSettingsFile(path)))
    const names = Array.from({ length: 40 }, (_, place) => `link.plugin${place}`)
    await Promise.all(names.map((name, place) => writers[place % 4]?.update(off(name))))
    expect((await openSettingsFile(path)).read().plugins?.off?.toSorted()).toEqual(names.toSorted())
  })

  test('is not written where a link leads that somebody put in its way', async () => {
    const path = aPath()
    const other = aPath('of somebody else')
    symlinkSync(other, `${path}.new`)
    await (await openSettingsFile(path)).update(off('link.a'))
    expect(readFileSync(other, 'utf8')).toBe('of somebody else')
    expect((await openSettingsFile(path)).read()).toEqual(off('link.a')({}))
  })

  test('is not changed while its lock is a file of somebody else, which is named', async () => {
    const path = aPath()
    writeFileSync(`${path}.lock`, 'a text, which is no database of SQLite')
    const settings = await openSettingsFile(path)
    await expect(settings.update(off('link.a'))).rejects.toThrow(/\.lock was not written by Linnet/)
  })

  test('is read without the byte order mark that editors of Windows begin it with', async () => {
    const path = aPath(`\uFEFF${JSON.stringify(off('link.a')({}))}`)
    expect((await openSettingsFile(path)).read()).toEqual(off('link.a')({}))
  })

  test('is not usable from when it is read broken until it is read mended', async () => {
    const path = aPath()
    const settings = await openSettingsFile(path)
    await settings.update(off('link.a'))
    expect(settings.isUsable()).toBe(true)
    writeFileSync(path, '{')
    await expect(settings.reload()).rejects.toThrow(UnusableSettings)
    expect([settings.isUsable(), settings.read()]).toEqual([false, off('link.a')({})])
    writeFileSync(path, '{}')
    await settings.reload()
    expect([settings.isUsable(), settings.read()]).toEqual([true, {}])
  })

  test('keeps everything that settings can say', async () => {
    const path = aPath()
    const price = { amount: 9.5, currency: 'EUR' }
    const everything: RunTimeSettings = {
      features: { apiAccessEnabled: false },
      plans: {
        free: {
          limits: { maxLinksCreatedPerMonth: 9007199254740991 },
          extensions: { 'organization.tags': true },
        },
        pro: { recommendedPricing: { monthly: price, yearly: price } },
        business: { recommendedPricing: null, recommended: true },
      },
      plugins: {
        off: ['link.urlScanning'],
        settings: { 'link.urlScanning': { lists: ['a'], every: null, nested: { deep: [1] } } },
      },
    }
    await (await openSettingsFile(path)).update(() => everything)
    expect((await openSettingsFile(path)).read()).toEqual(everything)
  })

  test('is whole and alone in its folder, but for its lock, after each change', async () => {
    const path = aPath()
    const settings = await openSettingsFile(path)
    await settings.update(off('link.a'))
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ plugins: { off: ['link.a'] } })
    expect(readdirSync(join(path, '..'))).toEqual(['settings.json', 'settings.json.lock'])
  })

  test('that cannot be written stays as it was, and so do the settings', async () => {
    const path = aPath()
    const settings = await openSettingsFile(path)
    const before = await settings.update(off('link.a'))
    let changes = 0
    settings.onChange(() => {
      changes += 1
    })

    blockWrites(path)
    await expect(settings.update(off('link.b'))).rejects.toThrow()
    expect(settings.read()).toBe(before)
    expect((await openSettingsFile(path)).read()).toEqual(before)
    expect(changes).toBe(0)

    unblockWrites(path)
    await settings.update(off('link.c'))
    expect((await openSettingsFile(path)).read()).toEqual({
      plugins: { off: ['link.a', 'link.c'] },
    })
  })

  test('is not made before there is anything to keep', async () => {
    const path = aPath()
    await openSettingsFile(path)
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test.each(['', '{', 'features: off', '{"features":{}'])('with %j stops the start', async text => {
    const path = aPath(text)
    const error = await openSettingsFile(path).catch(caught => caught)
    expect(error).toBeInstanceOf(UnusableSettings)
    expect(error.message).toContain(`${path} is not JSON`)
    expect(error.message).toContain('Correct it, or move it away')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('with mistakes stops the start and names them all, each with the remedy', async () => {
    const path = aPath(
      JSON.stringify({
        features: { apiAccessEnabled: 'no' },
        plans: { gold: {}, pro: { limits: { maxLinksCreatedPerMonth: -1 } } },
        plugins: { off: 'all' },
        colour: 'green',
      }),
    )
    const error = await openSettingsFile(path).catch(caught => caught)
    expect(error).toBeInstanceOf(UnusableSettings)
    const mistakes = error.message.split('\n')
    expect(namesIn(mistakes)).toEqual([
      'colour',
      'features.apiAccessEnabled',
      'plans.gold.basedOn',
      'plans.pro.limits.maxLinksCreatedPerMonth',
      'plugins.off',
    ])
    for (const mistake of mistakes) {
      expect(mistake).toMatch(/: .* does not exist\. Remove it\.$|is wrong: .*\. Correct it, or /)
    }
  })

  test('may name what a plugin brought that is not there now', async () => {
    const settings: RunTimeSettings = {
      features: { moodCreationEnabled: false },
      plans: { pro: { limits: { maxMoods: 2 }, extensions: { 'acme.moods': true } } },
    }
    const path = aPath(JSON.stringify(settings))
    expect((await openSettingsFile(path)).read()).toEqual(settings)
  })

  test.each(['[]', '"text"', '7'])(
    'that holds %s instead of an object stops the start',
    async text => {
      await expect(openSettingsFile(aPath(text))).rejects.toThrow('the whole is wrong')
    },
  )
})

/** A folder where the new file would be written is in everybody's way, also in root's. */
function blockWrites(path: string): void {
  mkdirSync(`${path}.new`)
}

function unblockWrites(path: string): void {
  rmdirSync(`${path}.new`)
}

function namesIn(mistakes: readonly string[]): readonly string[] {
  return mistakes
    .map(mistake => /: (?:nothing is called )?([\w.]*\w)/.exec(mistake)?.[1] ?? mistake)
    .sort()
}
