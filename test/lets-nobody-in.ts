import assert from 'node:assert/strict'
import { type Plugin, readPublicId } from '../core/plugin.ts'
import type { Harness } from './harness.ts'

const who = { email: 'conformance@example.org', password: 'four random words' }
const nobody = { cookie: '' }
const api = 'api/v1/session'

/** A plugin that asks a second step, or signs people in, lets nobody in by nonsense, and not while it is off. */
export async function letsNobodyIn(
  { feature, unstable: { steps, providers } = {} }: Plugin,
  others: readonly Plugin[],
  texts: readonly string[],
  linnet: Harness,
): Promise<void> {
  for (const name of Object.keys(providers ?? {})) {
    await signsNobodyIn(`${feature}/${name}`, texts, linnet)
  }
  for (const [name, { first }] of Object.entries(steps ?? {})) {
    if (first) await knowsNobody({ feature, name }, texts, linnet)
  }
  if (steps) await keepsClosed(feature, others, texts, linnet)
}

/** A step that signs people in by itself takes nonsense for nobody's. */
async function knowsNobody(
  step: { readonly feature: string; readonly name: string },
  texts: readonly string[],
  linnet: Harness,
): Promise<void> {
  for (const text of texts) {
    const asked = await linnet.api('POST', '/session/ask', { step }, nobody)
    assert.equal(asked.status, 200, `${step.feature} asks nothing.`)
    const sent = { ticket: asked.body.data.ticket, answer: text.slice(0, 8_000) }
    const { status } = await linnet.api('POST', '/session/step', sent, nobody)
    const shown = `${step.feature} answered ${status} to ${JSON.stringify(text).slice(0, 60)}`
    assert.ok(status === 422 || status === 429, shown)
  }
}

async function signsNobodyIn(
  provider: string,
  texts: readonly string[],
  linnet: Harness,
): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const ip = `203.0.113.${index + 1}`
    const { location = '', headers } = await linnet.visit(`${api}/with/${provider}`, { ip })
    const [cookie = ''] = String(headers['set-cookie'] ?? '').split(';')
    const state = /[?&]state=([^&]+)/.exec(location)?.[1] ?? ''
    const nonsense = encodeURIComponent(text.slice(0, 1_000).toWellFormed())
    const query = `?state=${state}&code=${nonsense}&error=${nonsense}&iss=${nonsense}`
    const back = await linnet.visit(`${api}/from/${provider}`, { query, ip, headers: { cookie } })
    const shown = `${provider} with ${JSON.stringify(text).slice(0, 60)}`
    assert.ok(back.status < 500, `${shown} answered ${back.status}`)
    assert.doesNotMatch(String(back.headers['set-cookie'] ?? ''), /^__Host-linnet=/, shown)
  }
}

async function keepsClosed(
  feature: string,
  others: readonly Plugin[],
  texts: readonly string[],
  linnet: Harness,
): Promise<void> {
  const made = await linnet.api('POST', '/admin/accounts', who)
  const account_id = readPublicId('acc', made.body.data.id) ?? 0
  await linnet.db
    .insertInto('account_steps')
    .values({ account_id, feature, created_at: 0 })
    .execute()
  const signIn = (at: Harness) => at.api('POST', '/session', who, nobody)
  for (const text of texts) {
    const { status, body } = await signIn(linnet)
    assert.notEqual(status, 201, `${feature} asks a marked account nothing.`)
    if (body.step === undefined || body.step.question.kind === 'confirm') continue
    const sent = { ticket: body.ticket, answer: text.slice(0, 8_000) }
    const answer = await linnet.api('POST', '/session/step', sent, nobody)
    const shown = `${feature} answered ${answer.status} to ${JSON.stringify(text).slice(0, 60)}`
    assert.ok([400, 401, 422, 429].includes(answer.status), shown)
  }
  const off = await linnet.restart(others)
  assert.equal((await signIn(off)).status, 503, 'An account opens while the plugin is off.')
}
