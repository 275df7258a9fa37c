import { afterEach, describe, expect, it } from 'vitest'
import { checkPlugin } from '../../../../core/kernel/load/check-plugin.ts'
import { choice, definePlugin, type Plugin, text } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

const about = 'Say how links feel.'
const moods = definePlugin({
  feature: 'acme.linkMoods',
  label: 'Moods',
  group: 'Link',
  about,
  fields: { mood: text({ label: 'Mood', hint: 'In one word.' }) },
  settings: {
    usual: choice(['calm', 'glad'], {
      label: 'Usual mood',
      default: 'calm',
      labels: { calm: 'Calm' },
    }),
  },
  dimensions: { visitsByMood: { label: 'Moods', of: () => undefined } },
  jobs: { cheerUp: { every: '0 3 * * *', run: () => undefined } },
  site: { path: 'moods', label: 'Moods', folder: new URL('./', import.meta.url) },
  translations: {
    de: { Moods: 'Stimmungen', Mood: 'Stimmung', 'Usual mood': 'Übliche Stimmung', Calm: 'Ruhig' },
    'de-AT': { Moods: 'Launen' },
  },
})
const plain = definePlugin({ feature: 'acme.officeHours', about: 'Close in the evening.' })

let linnet: Harness

/** What is told of a plugin, to who reads a language. */
async function told(path: string, { feature }: Plugin, language = '') {
  const { body } = await linnet.api('GET', path, undefined, { 'accept-language': language })
  return body.data.find((it: { feature: string }) => it.feature === feature)
}

describe('what a plugin says', () => {
  afterEach(() => linnet.stop())

  describe.each(['/plugins', '/admin/plugins'])('in %s', path => {
    it('a plugin is called as it says, and stands where it says', async () => {
      linnet = await boot([moods, plain])
      expect(await told(path, moods)).toMatchObject({ label: 'Moods', group: 'Link' })
      expect(await told(path, plain)).toMatchObject({ label: 'Office hours', group: 'Acme' })
    })

    it('what it says is in the language of who asks, where the plugin has it', async () => {
      linnet = await boot([moods, plain])
      const german = await told(path, moods, 'de-CH, en;q=0.5')
      expect(german).toMatchObject({ label: 'Stimmungen', group: 'Link', about })
      expect(await told(path, moods, 'de-at')).toMatchObject({ label: 'Launen' })
      expect(await told(path, moods, 'fr, de;q=0.5')).toMatchObject({ label: 'Moods' })
      expect(await told(path, plain, 'de')).toMatchObject({ label: 'Office hours' })
    })
  })

  it('fields, settings, dimensions and pages are translated too, and nothing else of them', async () => {
    linnet = await boot(moods)
    expect(await told('/plugins', moods, 'de')).toMatchObject({
      fields: [{ name: 'mood', label: 'Stimmung', hint: 'In one word.' }],
      dimensions: [{ name: 'visitsByMood', label: 'Stimmungen' }],
      site: { path: '/moods/', label: 'Stimmungen' },
    })
    const labels = { calm: 'Ruhig' }
    const settings = [{ name: 'usual', label: 'Übliche Stimmung', labels, value: 'calm' }]
    expect(await told('/admin/plugins', moods, 'de')).toMatchObject({ settings })
  })

  it('a job is called as it says, or by its name in words', async () => {
    const smile = { label: 'Smile', every: '0 3 * * *', run: () => undefined }
    linnet = await boot([moods, { ...plain, jobs: { smile } }])
    const { body } = await linnet.api('GET', '/admin/jobs')
    const labels = body.data.map(({ name, label }: { name: string; label: string }) => [
      name,
      label,
    ])
    expect(labels).toContainEqual(['acme.linkMoods.cheerUp', 'Cheer up'])
    expect(labels).toContainEqual(['acme.officeHours.smile', 'Smile'])
    expect(labels).toContainEqual(['visits.tidyCounts', 'Clean up the counts'])
  })
})

it.each([
  [{ label: '' }, 'has an invalid label'],
  [{ group: 'x'.repeat(61) }, 'has an invalid group'],
  [{ translations: { german: { Moods: 'Stimmungen' } } }, 'has invalid translations'],
  [{ translations: { de: ['Stimmungen'] } }, 'has invalid translations'],
  [{ translations: { de: { Mod: 'Stimmung' } } }, 'translates "Mod" into de but never uses it'],
])('%j is refused at the start', (wrong, sentence) => {
  const plugin = { ...moods, ...wrong }
  expect(checkPlugin(plugin, moods.feature)).toEqual([expect.stringContaining(sentence)])
})
