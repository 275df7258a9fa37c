import { describe, expect, test } from 'vitest'
import { type FirstStep, type Plugin, refuse, type Step } from '../../../../core/plugin.ts'
import { browser, codes, email, sessionIn, withBob } from './signing-in.ts'

const step = { feature: 'acme.codes', name: 'code' }

/** The plugin, whose code may sign Bob in by itself. */
function withFirst(first: Partial<FirstStep> = {}): Plugin {
  const { code } = codes.unstable?.steps ?? {}
  const usual: FirstStep = {
    label: 'a code',
    ask: () => ({ text: 'Which code?', kind: 'code' }),
    check: async (answer, { unstable }) => {
      const accountId = answer === 'seven' ? await idOf(unstable) : undefined
      return accountId === undefined ? refuse('wrong', 'Not seven.') : { accountId }
    },
  }
  return {
    ...codes,
    unstable: { steps: { code: { ...(code as Step), first: { ...usual, ...first } } } },
  }
}

async function idOf({ accounts }: Parameters<FirstStep['check']>[1]['unstable']) {
  for await (const some of accounts.all()) {
    const found = some.find(it => it.email === email)
    if (found) return found.accountId
  }
  return undefined
}

type Linnet = Awaited<ReturnType<typeof withBob>>['linnet']

const ask = (linnet: Linnet) => browser(linnet).send('POST', '/session/ask', { step })

describe('a step that signs people in by itself', () => {
  test('is shown, asks, and opens a session for whom it names, also where the account needs the step', async () => {
    const { linnet } = await withBob([withFirst()])
    const session = sessionIn(await browser(linnet).signIn())
    expect((await browser(linnet, session).send('POST', '/marks')).status).toBe(200)
    const { firstSteps } = (await browser(linnet).send('GET', '/session')).body.data
    expect(firstSteps).toEqual([{ ...step, label: 'a code' }])
    const asked = (await ask(linnet)).body.data
    expect(asked.step).toMatchObject({ label: 'A code', question: { kind: 'code' } })
    const wrong = await browser(linnet).answer(asked.ticket, 'six')
    expect([wrong.status, wrong.body.code]).toEqual([422, 'wrong_answer'])
    const opened = await browser(linnet).answer(asked.ticket, 'seven')
    expect([opened.status, opened.body.data.email]).toEqual([201, email])
    expect((await browser(linnet).answer(asked.ticket, 'seven')).status).toBe(422)
  })

  test('asks nobody and signs nobody in while its plugin fails', async () => {
    const fails = () => {
      throw new Error('boom')
    }
    const silent = await withBob([withFirst({ ask: fails })])
    expect((await ask(silent.linnet)).body.code).toBe('second_step_unavailable')
    const { linnet } = await withBob([withFirst({ check: fails })])
    const { ticket } = (await ask(linnet)).body.data
    const answered = await browser(linnet).answer(ticket, 'seven')
    expect([answered.status, answered.body.code]).toEqual([503, 'second_step_unavailable'])
  })

  test('has no button while its plugin cannot say whether it is ready', async () => {
    const isReady = () => {
      throw new Error('boom')
    }
    const { linnet } = await withBob([withFirst({ isReady })])
    expect((await browser(linnet).send('GET', '/session')).body.data.firstSteps).toEqual([])
    expect((await ask(linnet)).status).toBe(404)
  })
})
