import { expect, it } from 'vitest'
import { codeOf } from '../authenticator-app.ts'
import { linnet, temporaryFolder } from './program.ts'
import { admin, serve, serverEnv } from './server.ts'

it('a second factor is asked for by the built program, and the server lets in who lost it', async () => {
  const dataDir = temporaryFolder()
  const env = serverEnv(dataDir)
  const server = await serve({ dataDir })
  const browser =
    (cookie = '') =>
    (method: string, path: string, body?: unknown) =>
      server.api(method, path, body, {
        authorization: '',
        cookie,
        'sec-fetch-site': 'same-origin',
      })
  const signIn = () => browser()('POST', '/session', admin)
  const ada = browser((await signIn()).headers.get('set-cookie')?.split(';')[0])
  const { secret } = (await ada('POST', '/second-factor')).body.data
  const confirmed = await ada('POST', '/second-factor/confirm', { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  const asked = await signIn()
  expect(asked).toMatchObject({ status: 401, body: { code: 'second_step_required' } })
  const { ticket, step } = asked.body
  expect(step).toMatchObject({ label: 'Authenticator app', question: { kind: 'code' } })
  const answer = (text: string) => browser()('POST', '/session/step', { ticket, answer: text })
  expect((await answer('000000x')).body.code).toBe('wrong_answer')
  const inHalfAMinute = new Date(Date.now() + 30_000)
  const opened = await answer(codeOf(secret, inHalfAMinute))
  expect(opened).toMatchObject({ status: 201, body: { data: { email: admin.email } } })

  const reset = () => linnet(['account', 'reset-second-factor', admin.email], { env })
  expect((await reset()).code).toBe(0)
  expect((await signIn()).status).toBe(201)
  const { data } = (await ada('GET', '/second-factor')).body
  expect(data).toMatchObject({ isOn: false, isBegun: false, recoveryCodesLeft: 0 })
  const anew = (await ada('POST', '/second-factor')).body.data.secret
  const code = codeOf(anew)
  expect((await ada('POST', '/second-factor/confirm', { code })).status).toBe(200)

  expect(
    (await server.api('PATCH', '/admin/plugins/organization.secondFactor', { enabled: false }))
      .status,
  ).toBe(200)
  expect((await signIn()).body.code).toBe('second_step_unavailable')
  expect(await reset()).toMatchObject({
    code: 0,
    stdout: `${admin.email} signs in without the second step of organization.secondFactor now.\n`,
  })
  expect((await signIn()).status).toBe(201)
})
