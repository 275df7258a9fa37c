import { afterEach, describe, expect, it } from 'vitest'
import {
  ask,
  claim,
  definePlugin,
  type Plugin,
  refuse,
  type Visit,
} from '../../../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'

let linnet: Harness
let link: ShownLink
/** What each guard was asked with, as `a.one {"word":"red"}`, in order. */
let asked: string[] = []

afterEach(async () => {
  await linnet.stop()
  asked = []
})

const plugin = (
  feature: Plugin['feature'],
  check: (visit: Visit) => ReturnType<typeof ask> | ReturnType<typeof refuse> | undefined,
) =>
  definePlugin({
    feature,
    about: 'A guard for a test.',
    guard: () => visit => {
      asked.push(`${feature} ${JSON.stringify(visit.answers)}`)
      return check(visit)
    },
  })

/** Lets through who says its word. */
const wants = (feature: Plugin['feature'], word: string) =>
  plugin(feature, ({ answers }) =>
    answers.word === word
      ? undefined
      : ask(`Word of ${feature}`, [{ name: 'word', label: 'Word', type: 'text' }]),
  )

async function start(...plugins: Plugin[]): Promise<void> {
  linnet = await boot(plugins)
  link = await linnet.create()
}

describe('guards', () => {
  it('are asked in order, until one stops the visitor', async () => {
    await start(
      plugin('a.open', () => undefined),
      plugin('a.shut', () => refuse('shut', 'It is shut.', 403)),
      plugin('a.never', () => undefined),
    )
    expect(await linnet.visit(link)).toMatchObject({ status: 403, location: undefined })
    expect(asked).toEqual(['a.open {}', 'a.shut {}'])
  })

  it('see the answers to their own question, and nobody else’s', async () => {
    await start(wants('a.one', 'red'), wants('a.two', 'blue'))
    const first = await linnet.visit(link)
    asked = []
    const second = await linnet.visit(link, { answers: { ...first.hidden, word: 'red' } })
    expect(asked).toEqual(['a.one {"word":"red"}', 'a.two {}'])
    asked = []
    const third = await linnet.visit(link, { answers: { ...second.hidden, word: 'blue' } })
    expect(asked).toEqual(['a.two {"word":"blue"}'])
    expect(third).toMatchObject({ status: 303, location: 'https://example.com/' })
  })

  it('that were satisfied stay so while the next one asks again', async () => {
    await start(wants('a.one', 'red'), wants('a.two', 'blue'))
    const first = await linnet.visit(link)
    let page = await linnet.visit(link, { answers: { ...first.hidden, word: 'red' } })
    asked = []
    page = await linnet.visit(link, { answers: { ...page.hidden, word: 'green' } })
    page = await linnet.visit(link, { answers: { ...page.hidden, word: 'blue' } })
    expect(page.location).toBe('https://example.com/')
    expect(asked).toEqual(['a.two {"word":"green"}', 'a.two {"word":"blue"}'])
  })

  it('are not satisfied by who was only asked', async () => {
    await start(wants('a.one', 'red'), wants('a.two', 'blue'))
    const { hidden } = await linnet.visit(link)
    for (const word of ['blue', '']) {
      const page = await linnet.visit(link, { answers: { ...hidden, word } })
      expect(page.text).toContain('Word of a.one')
    }
    expect((await linnet.visit(link, { answers: hidden })).text).toContain('Word of a.one')
  })

  it('take the answers of a script, which never saw a page, for those to the first question', async () => {
    await start(
      plugin('a.open', () => undefined),
      wants('a.one', 'red'),
      wants('a.two', 'red'),
    )
    const page = await linnet.visit(link, { answers: { word: 'red' } })
    expect(page.text).toContain('Word of a.two')
    expect(asked).toEqual(['a.open {}', 'a.one {}', 'a.one {"word":"red"}', 'a.two {}'])
  })

  it('never see the pass', async () => {
    await start(wants('a.one', 'red'))
    const { hidden } = await linnet.visit(link)
    await linnet.visit(link, { answers: { ...hidden, word: 'red' } })
    expect(asked.join()).not.toContain('pass')
  })

  it('are asked anew with a pass that somebody made up', async () => {
    await start(wants('a.one', 'red'), wants('a.two', 'blue'))
    const { hidden } = await linnet.visit(link)
    const forged = Buffer.from(
      JSON.stringify({ asked: 'a.two', satisfied: ['a.one'], until: 9e15 }),
    ).toString('base64url')
    const mark = hidden.pass?.split('.')[1]
    const page = await linnet.visit(link, { answers: { pass: `${forged}.${mark}`, word: 'blue' } })
    expect(page.text).toContain('Word of a.one')
  })

  it('that ask and claim are never taken for satisfied: what they claim is taken', async () => {
    let left = 1
    const take = () => (left-- > 0 ? undefined : refuse('used_up', 'It was used up.', 410))
    const ticket = definePlugin({
      feature: 'a.ticket',
      about: 'A guard for a test.',
      guard:
        () =>
        ({ answers }) =>
          answers.word === 'red' ? claim(take) : question,
    })
    const question = ask('Word', [{ name: 'word', label: 'Word', type: 'text' }])
    await start(
      ticket,
      plugin('a.two', ({ answers }) => (answers.continue === 'yes' ? undefined : ask('Go on', []))),
    )
    const first = await linnet.visit(link)
    const second = await linnet.visit(link, { answers: { ...first.hidden, word: 'red' } })
    const third = await linnet.visit(link, { answers: { ...second.hidden, continue: 'yes' } })
    expect([second.status, third.location, left]).toEqual([403, undefined, 1])
  })

  it('that ask and claim are asked nothing more by the page for robots: somebody answered', async () => {
    let left = 1
    const ticket = definePlugin({
      feature: 'a.ticket',
      about: 'A guard for a test.',
      guard:
        () =>
        ({ answers }) =>
          answers.word === 'red' ? claim(take) : question,
    })
    const take = () => (left-- > 0 ? undefined : refuse('used_up', 'It was used up.', 410))
    const question = ask('Word', [{ name: 'word', label: 'Word', type: 'text' }])
    await start(ticket)
    const headers = { 'user-agent': 'Twitterbot/1.0' }
    const { hidden } = await linnet.visit(link, { headers })
    const answers = { ...hidden, word: 'red' }
    expect((await linnet.visit(link, { headers, answers })).status).toBe(303)
    expect((await linnet.visit(link, { headers, answers })).status).toBe(410)
  })
})
