import { expect } from 'vitest'
import type { Server } from './server.ts'

/** A job as admins see it. */
interface Job {
  readonly name: string
  readonly running: boolean
  readonly outcome: string | null
  readonly error: string | null
  readonly nextRunAt: string | null
}

/** Runs a job to its end, for which the answer does not wait if it takes long; returns the ended job. */
export async function runJob(server: Server, name: string): Promise<Job> {
  expect((await server.api('POST', `/admin/jobs/${name}/run`)).status).toBe(200)
  await expect.poll(() => jobNamed(server, name)).toMatchObject({ running: false })
  return jobNamed(server, name)
}

/** The job with this name; throws if there is none. */
export async function jobNamed(server: Server, name: string): Promise<Job> {
  const { body } = await server.api('GET', '/admin/jobs')
  const jobs: readonly Job[] = body.data
  const found = jobs.find(job => job.name === name)
  if (!found) throw new Error(`There is no job ${name}.`)
  return found
}

/** The names of the backups, once there are this many. */
export async function copiesOnce(server: Server, count: number): Promise<readonly string[]> {
  const names = async (): Promise<readonly string[]> =>
    (await server.api('GET', '/admin/backups')).body.data.map(({ name }: { name: string }) => name)
  await expect.poll(names).toHaveLength(count)
  return names()
}
