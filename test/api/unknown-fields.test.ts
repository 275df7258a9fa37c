import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Harness } from '../harness.ts'
import { looseObjects } from '../inside.ts'
import { bootAll } from './whole-instance.ts'

let linnet: Harness
beforeAll(async () => {
  linnet = await bootAll()
})
afterAll(() => linnet.stop())

it('unknown fields are accepted by no route, and nowhere in its body or query', () => {
  const loose = linnet.app.routes.flatMap(({ name, body, describedBody, query }) => [
    ...looseObjects(describedBody ?? body, `body of ${name}`),
    ...looseObjects(query, `query of ${name}`),
  ])
  expect(loose).toEqual([])
})
