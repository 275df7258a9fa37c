import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { expectOnlyWords, hostile } from './hostile.ts'

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function choose(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe.skipIf(!hasChromium)('the tags', () => {
  it('are made, renamed, recoloured and deleted, and their links stay', async () => {
    const { page, server, open } = await openDashboard()
    await open('/tags')
    await page.getByRole('heading', { name: 'Create your first tag' }).waitFor()
    await page.getByRole('button', { name: 'New tag' }).click()
    await page.getByLabel('Name').fill('Print')
    await page.getByRole('radio', { name: 'Violet' }).check({ force: true })
    await page.keyboard.press('Enter')
    await row(page, 'Print').getByText('0 links').waitFor()
    const made = (await server.api('GET', '/tags')).body.data[0]
    expect(made).toMatchObject({ name: 'Print', color: '#7048E8' })

    const link = await createLink(server, { short_code: 'poster', tag_ids: [made.id] })
    await page.reload()
    await row(page, 'Print').getByText('1 link', { exact: true }).waitFor()
    await choose(page, 'Print', 'Edit')
    await page.getByLabel('Name').fill('Posters')
    await page.getByLabel('Other colour').fill('#00aa88')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Posters').waitFor()
    expect((await server.api('GET', `/tags/${made.id}`)).body.data).toMatchObject({
      name: 'Posters',
      color: '#00AA88',
    })

    await row(page, 'Posters').getByRole('link', { name: 'Posters' }).click()
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor()
    await page.getByRole('link', { name: /poster$/ }).waitFor()
    await page.goBack()
    await choose(page, 'Posters', 'Delete')
    await page.getByText('The tag is removed from one link.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Create your first tag' }).waitFor()
    expect((await server.api('GET', `/links/${link.id}`)).body.data.tags).toEqual([])
  })

  it('say what is wrong with a name at its input', async () => {
    const { page, server, open } = await openDashboard()
    await server.api('POST', '/tags', { name: 'Print' })
    await open('/tags')
    await page.getByRole('button', { name: 'New tag' }).click()
    await page.getByLabel('Name').fill('PRINT')
    await page.keyboard.press('Enter')
    await page.getByText('You already have a tag with this name.').waitFor()
  })

  it('are not changed over what somebody else changed meanwhile', async () => {
    const { page, server, open } = await openDashboard()
    const { id } = (await server.api('POST', '/tags', { name: 'Print' })).body.data
    await open('/tags')
    await choose(page, 'Print', 'Edit')
    await page.getByLabel('Name').fill('Mine')
    await server.api('PATCH', `/tags/${id}`, { name: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This was changed elsewhere in the meantime.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Theirs')
    await page.getByLabel('Name').fill('Ours')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Ours').waitFor()
  })

  it('say that the plan has no more before somebody tries', async () => {
    const { page, server, open } = await openDashboard()
    await server.api('PATCH', '/admin/plans/unlimited', { organization: { maxTags: 2 } })
    await server.api('POST', '/tags', { name: 'One' })
    await open('/tags')
    await page.getByText('1 of 2 in your plan').waitFor()
    await page.getByRole('button', { name: 'New tag' }).click()
    await page.getByLabel('Name').fill('Two')
    await page.keyboard.press('Enter')
    await page.getByText('You have reached the limit of your plan (2).').waitFor()
    expect(await page.getByRole('button', { name: 'New tag' }).isDisabled()).toBe(true)
  })

  it('are words and nothing more', async () => {
    const { page, server, open } = await openDashboard()
    for (const name of hostile) await server.api('POST', '/tags', { name })
    await open('/tags')
    await expectOnlyWords(page)
    await choose(page, hostile[0], 'Delete')
    await page.getByText(`Delete the tag ${hostile[0]}?`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Tag ${hostile[0]} deleted.`).waitFor()
    await expectOnlyWords(page, hostile.slice(1))
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('the tags in %s', colorScheme => {
  it('are open to everybody, on a phone too', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ colorScheme, viewport })
    await open('/tags')
    await page.getByRole('heading', { name: 'Create your first tag' }).waitFor()
    await expectAccessible(page)
    await server.api('POST', '/tags', { name: 'W'.repeat(100) })
    await server.api('PATCH', '/admin/plans/unlimited', { organization: { maxTags: 1 } })
    await open('/tags')
    await page.getByText('You have reached the limit of your plan (1).').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await choose(page, 'W'.repeat(100), 'Edit')
    await page.getByRole('button', { name: 'Save' }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })
})
