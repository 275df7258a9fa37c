import { inject } from 'light-my-request'
import { afterEach, describe, expect, it } from 'vitest'
import web from '../../../plugins/dashboard/web.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const get = (url: string) => inject(linnet.app.server.handle, { method: 'GET', url })

describe('the dashboard', () => {
  it('is what opens at the bare address of an instance', async () => {
    linnet = await boot(web)
    expect((await get('/')).headers.location).toBe('/dashboard/')
    const page = await get('/dashboard/')
    expect(page.statusCode).toBe(200)
    expect(page.payload).toContain('<title>Linnet</title>')
  })

  it('has nothing inline that a browser would have to allow', async () => {
    linnet = await boot(web)
    const { payload } = await get('/dashboard/')
    expect(payload).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/)
  })

  it('is not there while it is off', async () => {
    linnet = await boot([])
    expect((await get('/dashboard/')).statusCode).toBe(404)
    expect((await get('/')).statusCode).toBe(404)
  })

  it('hides no link: its path is nobody’s short code', async () => {
    linnet = await boot([web])
    const answer = await linnet.api('POST', '/links', {
      originalUrl: 'https://example.com/',
      shortCode: 'dashboard',
    })
    expect(answer.status).toBe(422)
  })
})
