import { expect } from 'vitest'
import type { Server } from './server.ts'

/** What an admin sees of a job. */
interface Job {
  readonly name: string
  readonly running: boolean
  readonly outcome: string | null
  readonly error: string | null
  readonly nextRunAt: string | null
}

/** Run a job to its end, which the answer does not wait for where that takes long; gives what is known of it then. */
export async function runJob(server: Server, name: string): Promise<Job> {
  expect((await server.api('POST', `/admin/jobs/${name}/run`)).status).toBe(200)
  await expect.poll(() => jobNamed(server, name)).toMatchObject({ running: false })
  return jobNamed(server, name)
}

/** What is known of a job; throws when there is none of that name. */
export async function jobNamed(server: Server, name: string): Promise<Job> {
  const { body } = await server.api('GET', '/admin/jobs')
  const jobs: readonly Job[] = body.data
  const found = jobs.find(job => job.name === name)
  if (!found) throw new Error(`There is no job ${name}.`)
  return found
}

/** The names of the copies of the database, once there are so many. */
export async function copiesOnce(server: Server, count: number): Promise<readonly string[]> {
  const names = async (): Promise<readonly string[]> =>
    (await server.api('GET', '/admin/backups')).body.data.map(({ name }: { name: string }) => name)
  await expect.poll(names).toHaveLength(count)
  return names()
}
