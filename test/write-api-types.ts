import { writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'
import { plugins } from './api/whole-instance.ts'
import { boot } from './harness.ts'

// At the import, because Vite imports no plugin any more once this file is imported.
const linnet = await boot(plugins)
const { body } = await linnet.api('GET', '/openapi.json')
await linnet.stop()
const types = astToString(await openapi(body))

/**
 * Writes the types of the whole API, from its own OpenAPI description, for the dashboard. `npm test` runs it,
 * so that a change of the API that breaks the dashboard does not compile.
 */
export function writeApiTypes(file: string): void {
  writeFileSync(file, `// Written by test/write-api-types.ts.\n${types}`)
}
