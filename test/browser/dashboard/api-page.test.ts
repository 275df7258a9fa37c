import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

// `openDashboard` checks that no request leaves the instance and that nothing breaks the policy of the page.
// policy of the page.
describe.skipIf(!hasChromium)('the page of the API', () => {
  it('sends requests with a token that was made for it, and forgets the token', async () => {
    const { page, server, open } = await openDashboard()
    await open('/tokens')
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('heading', { name: 'API', level: 1, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create a token for one hour' }).click()
    const token = page.getByLabel('API token', { exact: true })
    await expect.poll(() => token.inputValue()).toMatch(/^lnt_/)
    const made = await token.inputValue()

    await page.getByRole('searchbox', { name: 'Search requests' }).fill('create short link')
    await page.getByRole('button', { name: /^POST \/links Create a short link/ }).click()
    const body = page.getByRole('textbox', { name: 'Body' })
    expect(JSON.parse(await body.inputValue())).toEqual({
      original_url: 'https://example.com/?q=1',
    })
    await body.fill('{ "original_url": "https://example.com/tried", "short_code": "tried" }')
    await page.getByText('JavaScript', { exact: true }).click()
    const code = `linnet.links.create({ "original_url": "https://example.com/tried", "short_code": "tried" })`
    await page.getByText(`url: '${server.url}', token: '${made}'`).getByText(code).waitFor()
    await page.getByText('linnet', { exact: true }).click()
    await page.getByText(`LINNET_TOKEN=${made} linnet remote links create --body`).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send request' }).click()
    await page
      .getByRole('status')
      .getByText(/^201 Created, after/)
      .waitFor()
    await page.getByRole('region', { name: 'Answer' }).first().getByText('tried').waitFor()
    expect((await server.get('/tried')).headers.get('location')).toBe('https://example.com/tried')

    const { body: tokens } = await server.api('GET', '/api-tokens')
    expect(tokens.data[0]).toMatchObject({ name: 'API reference' })
    expect(Date.parse(tokens.data[0].expiresAt) - Date.now()).toBeLessThan(3_600_001)
    expect(tokens.data[0].scopes).not.toContain('*')
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
    expect(await page.evaluate(kept)).not.toContain(made)
    await page.getByRole('link', { name: 'API tokens' }).first().click()
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('heading', { name: 'API', level: 1, exact: true }).waitFor()
    expect(await token.inputValue()).toBe('')
  })

  it('asks as nobody without a token, though somebody is signed in', async () => {
    const { page, open } = await openDashboard()
    // Here a refusal is the expected answer.
    await open('/tokens/api')
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('profile.show')
    await page.getByRole('button', { name: /^GET \/profile/ }).click()
    await page.getByRole('button', { name: 'Send request' }).click()
    await page
      .getByRole('status')
      .getByText(/^401 Unauthorized/)
      .waitFor()
  })

  it('fits a phone, and finds nothing where there is nothing', async () => {
    const { page, open } = await openDashboard({ viewport: { width: 360, height: 740 } })
    await open('/tokens/api')
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('links.update')
    await page
      .getByRole('button', { name: /^PATCH/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Send request' }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('unicorn')
    await page.getByText('No request matches.').waitFor()
  })
})
