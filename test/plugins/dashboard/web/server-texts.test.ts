import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { problemCodes } from '../../../../config/problem-codes.ts'
import { allLanguages } from '../../../../plugins/dashboard/web/language/language.ts'
import type { ServerTexts } from '../../../../plugins/dashboard/web/language/server-texts.ts'
import { registry } from '../../../../plugins/index.ts'
import { boot } from '../../../harness.ts'
import { filesIn } from '../../../rooms.ts'

const root = resolve(import.meta.dirname, '../../../..')
const web = 'plugins/dashboard/web/'

const linnet = await boot(Object.keys(registry))
afterAll(() => linnet.stop())

/** What plugins, jobs and programs from which links come are called, and what they say of themselves. */
const labels = await labelsOf(['/plugins', '/admin/plugins', '/admin/jobs', '/imports/sources'])

/** Other programs are called the same in all languages. */
const names = new Set(
  (await linnet.api('GET', '/imports/sources')).body.data
    .filter(({ name }: { readonly name: string }) => name !== 'csv')
    .map(({ label }: { readonly label: string }) => label),
)

async function labelsOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const path of paths) {
    JSON.stringify((await linnet.api('GET', path)).body, (name, value) => {
      if (
        /^(label|about|hint|group|title|lead|submit|confirm|done|empty)$/.test(name) &&
        typeof value === 'string'
      )
        found.add(value)
      return value
    })
  }
  return found
}

/** What the doctor finds here, sentence by sentence. */
const findings = (await linnet.api('GET', '/admin/doctor')).body.data as readonly {
  readonly says: string
  readonly remedy: string | null
}[]
const found = findings.flatMap(({ says, remedy }) =>
  `${says} ${remedy ?? ''}`.trim().split(/(?<=\.) /),
)

/** What is put together when a field is wrong, by `field-errors.ts`. */
const composed =
  /^Must (have|be) (at|more|less|a|an|one)\b|^The URL |^Enter an? e-mail|^You already have a|^(Desktop|Mobile|Tablet|Other)$|^Does not have the right format:/
const sources = [...filesIn('core'), ...filesIn('plugins')]
  .filter(file => !file.startsWith(web))
  .map(file => readFileSync(resolve(root, file), 'utf8'))
  .join('\n')

/** Their sentences say what exactly is wrong, which the code alone does not. */
const saidByServer = ['plugin_unusable', 'set_up_failed']

describe.each(allLanguages.filter(it => it !== 'en'))(
  'what the server says, in %s',
  async language => {
    const { serverTexts } = (await import(resolve(root, web, 'texts', language, 'server.ts'))) as {
      serverTexts: ServerTexts
    }
    const { sentences, problems } = serverTexts

    it('has every plugin and job in it', () => {
      expect(labels.size).toBeGreaterThan(100)
      expect([...labels].filter(it => !(it in sentences) && !names.has(it))).toEqual([])
    })

    it('has in it what the doctor finds', () => {
      expect(found.length).toBeGreaterThan(3)
      const isKnown = (said: string) =>
        Object.keys(sentences).some(sentence =>
          sentence.split('{}').every(part => said.includes(part)),
        )
      expect(found.filter(said => !isKnown(said))).toEqual([])
    })

    it('has every problem in it', () => {
      const codes = Object.keys(problemCodes).filter(code => !saidByServer.includes(code))
      expect(Object.keys(problems).sort()).toEqual(codes.sort())
    })

    it('has nothing in it that the server does not say', () => {
      const isSaid = (sentence: string) =>
        labels.has(sentence) ||
        composed.test(sentence) ||
        sentence.split('{}').every(part => sources.includes(part))
      expect(Object.keys(sentences).filter(sentence => !isSaid(sentence))).toEqual([])
    })

    it('puts the same values in', () => {
      const count = (text: string) => text.split('{}').length
      const others = Object.entries(sentences).filter(([from, to]) => count(from) !== count(to))
      expect(others).toEqual([])
    })
  },
)
