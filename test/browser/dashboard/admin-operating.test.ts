import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../e2e/program.ts'
import { createLink, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { confirmPassword, expectAccessible, openDashboard } from './dashboard.ts'

describe.skipIf(!hasChromium)('a job', () => {
  it('runs when it is told to, and says how that went', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/jobs')
    const row = page.getByRole('listitem').filter({ hasText: 'Delete ended sessions' })
    await row.getByText('Every day at 02:20 UTC').waitFor()
    await row.getByText('Never ran').waitFor()
    await row.getByRole('button', { name: 'Run now: Delete ended sessions' }).click()
    await row.getByText('Succeeded').waitFor()
    await page.getByText('Delete ended sessions: done.').waitFor()
    const { body } = await server.api('GET', '/admin/jobs')
    const job = body.data.find(({ name }: { name: string }) => name === 'sessions.forgetDead')
    expect(job.outcome).toBe('succeeded')
  })
})

describe.skipIf(!hasChromium)('a backup', () => {
  it('is made, downloaded and deleted', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/backups')
    await page.getByRole('heading', { name: 'No backups yet' }).waitFor()
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('Backup created').waitFor()

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download the backup of/ }).click()
    await confirmPassword(page)
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^manual-\d{8}T\d{6}Z\.db$/)
    // https://www.sqlite.org/fileformat.html#the_database_header
    expect(
      readFileSync(await download.path())
        .subarray(0, 16)
        .toString('latin1'),
    ).toBe('SQLite format 3\0')

    await page.getByRole('button', { name: /^Delete the backup of/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await confirmPassword(page)
    await page.getByRole('heading', { name: 'No backups yet' }).waitFor()
    expect((await server.api('GET', '/admin/backups')).body.data).toEqual([])
  })
})

describe.skipIf(!hasChromium)('the restore of a backup', () => {
  it('is shown in words before it is done', async () => {
    const { page, server, open } = await openDashboard()
    const { body } = await server.api('POST', '/admin/backups')
    await createLink(server)
    await createLink(server)
    await open('/admin/backups')
    await page.getByRole('button', { name: /^Restore the backup of/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row', { name: 'Links 0 2 2 deleted' }).waitFor()
    await dialog.getByRole('row', { name: 'Accounts 1 1 The same' }).waitFor()
    await dialog.getByText('Settings are the same.').waitFor()
    await dialog.getByText(`linnet restore ${body.data.name}`).waitFor()
    await expectAccessible(page)
  })
})

describe.skipIf(!hasChromium)('a blocked link', () => {
  it('is shown with its reason, and opens again when it is released', async () => {
    const dataDir = temporaryFolder()
    const list = join(dataDir, 'harmful.txt')
    writeFileSync(list, '')
    const settings = { 'link.urlScanning': { lists: [list] } }
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ plugins: { settings } }))
    const { page, server, open } = await openDashboard({ server: await serve({ dataDir }) })
    await createLink(server, { original_url: 'https://evil.example/login', short_code: 'prize' })
    await open('/admin/blocked-links')
    await page.getByRole('heading', { name: 'No blocked links' }).waitFor()

    writeFileSync(list, 'evil.example\n')
    await server.api('POST', '/admin/jobs/link.urlScanning.rescan/run')
    expect((await server.get('/prize')).status).toBe(451)
    await open('/admin/blocked-links')
    const row = page.getByRole('listitem').filter({ hasText: '/prize' })
    await row.getByText('https://evil.example/login').waitFor()
    await row.getByText('harmful.txt').waitFor()
    // Nobody reaches this by a slip of the finger.
    expect(await row.getByRole('link').count()).toBe(0)
    await row.getByRole('button', { name: /^Release/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await page.getByRole('heading', { name: 'No blocked links' }).waitFor()
    expect((await server.get('/prize')).status).toBe(302)
  })
})

describe.skipIf(!hasChromium)('the health of the instance', () => {
  it('is shown part by part, with the version that runs', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/health')
    await page.getByRole('heading', { name: /^Everything works/ }).waitFor()
    const part = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await part('Can be read and written.').getByText('OK', { exact: true }).waitFor()
    await part('are free on the disk').getByText('OK', { exact: true }).waitFor()
    await page.getByText(/^The clock of this machine says [^T]+$/).waitFor()
    await page.getByText('Free disk space').waitFor()
    const { version } = (await server.api('GET', '/admin/instance')).body.data
    await page.getByText('Version').and(page.locator('dt')).waitFor()
    await page.getByText(version, { exact: true }).waitFor()
  })

  it('says what is wrong, and marks it on every page', async () => {
    const env = { LINNET_GEOIP_FILE: '/nowhere/places.mmdb' }
    const { page, open } = await openDashboard({ server: await serve({ env }) })
    await open('/admin/health')
    await page.getByRole('heading', { name: 'Links work, but there are problems' }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'Countries of visitors are unknown' })
    await row.getByText('Degraded').waitFor()
    await open('/admin/jobs')
    await page.getByRole('link', { name: 'Health (there is a problem)' }).waitFor()
  })
})
