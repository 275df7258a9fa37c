import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard, pressFor } from './dashboard.ts'

const unreachable = 'The server does not answer. Check your connection and try again.'

async function openNewLink() {
  const dashboard = await openDashboard()
  const { page, server, open } = dashboard
  await open('/links/new')
  await page.getByLabel('Original URL').fill('https://example.com/')
  return {
    ...dashboard,
    make: () => page.getByRole('button', { name: 'Create link' }).click(),
    links: async () => (await server.api('GET', '/links')).body.data,
    leave: async () => {
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    },
  }
}

describe.skipIf(!hasChromium)('without a connection', () => {
  itAtNight(
    'says so at once, keeps what is typed, and does nothing later that was given up',
    async () => {
      const { page, complaints, make, links, leave } = await openNewLink()
      await leave()
      await pressFor('c', page.getByLabel('Original URL'))
      await page.getByLabel('Original URL').fill('https://example.com/')
      await page.context().setOffline(true)
      await make()
      await page.getByText(unreachable).waitFor()
      expect(await page.getByLabel('Original URL').inputValue()).toBe('https://example.com/')

      await leave()
      const sent: string[] = []
      page.on('request', request => sent.push(request.method()))
      await page.context().setOffline(false)
      await page.getByRole('link', { name: 'Tags' }).click()
      await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
      expect([sent.includes('POST'), await links()]).toEqual([false, []])
      expectOnlyLostAnswers(complaints)
    },
  )

  itAtNight(
    'says of a page that was never opened what is the matter, and opens it afterwards',
    async () => {
      const { page, complaints, open } = await openDashboard()
      await open('/links')
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'Tags' }).click()
      await page.getByText(unreachable).waitFor()
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
      expectOnlyLostAnswers(complaints)
    },
  )

  itAtNight('keeps a page of which a part was lost on the way, and loads that again', async () => {
    const { page, complaints, open } = await openDashboard()
    await page.route(part, route => route.abort('connectionreset'), { times: 1 })
    const lost = page.waitForEvent('requestfailed', { predicate: it => part.test(it.url()) })
    await open('/tags')
    await lost
    await pressFor('Shift+?', page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
  })

  itAtNight('brings nobody back who leaves while a part is lost, as Firefox has it', async () => {
    const { page, complaints, open } = await openDashboard()
    const gate = new EventEmitter()
    await page.route(
      part,
      async route => {
        await once(gate, 'lost')
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    // The page that is wanted comes late.
    await page.route('**/dashboard/settings', async route => {
      await pause(1_500)
      await route.continue()
    })
    const asked = page.waitForRequest(part)
    await open('/tags')
    await asked
    const leaving = page.waitForRequest('**/dashboard/settings')
    await page.evaluate("location.href = '/dashboard/settings'")
    await leaving
    gate.emit('lost')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
  })

  itAtNight(
    'keeps a page whose parts cannot be loaded, and loads them when there is one',
    async () => {
      const { page, complaints, open } = await openDashboard()
      const gate = new EventEmitter()
      await page.route(
        part,
        async route => {
          await once(gate, 'offline')
          await route.abort('internetdisconnected')
        },
        { times: 1 },
      )
      const asked = page.waitForRequest(part)
      await open('/tags')
      await asked
      await page.context().setOffline(true)
      const failed = page.waitForEvent('requestfailed', { predicate: it => isSession(it.url()) })
      gate.emit('offline')
      await failed
      await page.getByRole('link', { name: 'Links' }).first().waitFor()

      await page.context().setOffline(false)
      await pressFor('Shift+?', page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
      expectOnlyLostAnswers(complaints)
    },
  )
})

describe.skipIf(!hasChromium)('an answer that comes late', () => {
  itAtNight('leads nobody away from the page where they are by then', async () => {
    const { page, make, leave, links } = await openNewLink()
    const gate = new EventEmitter()
    await page.route(
      '**/api/v1/links',
      async route => {
        await once(gate, 'open')
        await route.continue()
      },
      { times: 1 },
    )
    await make()
    await leave()
    gate.emit('open')
    await page.getByText('is ready.').waitFor()
    expect(await links()).toHaveLength(1)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  })
})

/** This file holds the dialogs and notifications of every page. */
const part = /assets\/layers-.*\.js/

const isSession = (url: string) => url.endsWith('/api/v1/session')

/** The browser logs each answer and each module that did not arrive; expects nothing else. */
function expectOnlyLostAnswers(complaints: string[]): void {
  const lost = /ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/
  const others = complaints.splice(0).filter(it => !lost.test(it) && !it.includes(unreachable))
  expect(others).toEqual([])
}

describe.skipIf(!hasChromium)('without the code of dialogs and notifications', () => {
  itAtNight('a page stays as it is', async () => {
    const { page, complaints, open } = await openDashboard()
    let refused = 0
    await page.route('**/assets/layers-*', route => {
      refused += 1
      return route.fulfill({ status: 404 })
    })
    await open('/tags')
    // The page is loaded anew once, and then does without.
    await expect.poll(() => refused).toBe(2)
    await pause(1_000)
    expect(await page.getByRole('heading', { name: 'Tags', level: 1 }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    complaints.length = 0
  })
})
