import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { boot } from '../../../harness.ts'

it('GET /admin/instance tells an admin the version of the running server, that of the package, and how large it is', async () => {
  const linnet = await boot([])
  const { status, body } = await linnet.api('GET', '/admin/instance')
  await linnet.stop()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([status, body.data]).toEqual([
    200,
    {
      version,
      nodeVersion: process.versions.node,
      baseUrl: 'https://go.example.org',
      dashboardUrl: expect.stringContaining('https://go.example.org'),
      startedAt: expect.any(String),
      memoryBytes: expect.any(Number),
      // This database lives in memory.
      databaseBytes: null,
      logBytes: null,
      freeBytes: null,
    },
  ])
})
