import { expect, it, onTestFinished } from 'vitest'
import { retry } from './vitest.config.ts'

const attempts = { page: 0, complaint: 0 }

it('runs again when a network of the machine changed while it opened a page', () => {
  attempts.page += 1
  if (attempts.page === 1)
    throw new Error('page.goto: net::ERR_NETWORK_CHANGED at http://127.0.0.1/')
})

it('runs again when the page complained of that, whatever else failed for it', () => {
  attempts.complaint += 1
  const complaints = attempts.complaint < 3 ? ['Failed to load: net::ERR_NETWORK_CHANGED'] : []
  onTestFinished(() => expect(complaints, complaints.join()).toEqual([]))
  if (complaints.length > 0) throw new Error('locator.waitFor: Timeout 150000ms exceeded.')
})

it('does not run again for anything else', () => {
  expect(attempts).toEqual({ page: 2, complaint: 3 })
  expect('locator.waitFor: Timeout 150000ms exceeded.').not.toMatch(retry.condition)
  expect('page.goto: net::ERR_CONNECTION_REFUSED').not.toMatch(retry.condition)
})
