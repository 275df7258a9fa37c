import { writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'
import { typesFile } from '../client/build/describe.ts'
import { plugins } from './api/every-plugin.ts'
import { boot } from './harness.ts'

// At the import, because Vite imports no plugin any more once this file is imported.
const linnet = await boot(plugins)
const { body } = await linnet.api('GET', '/openapi.json')
await linnet.stop()
const ofDashboard = `// Written by test/write-api-types.ts.\n${astToString(await openapi(body))}`
const ofClient = await typesFile(body)

/**
 * Writes the types of the whole API, from its own OpenAPI description, for the dashboard and for the client. `npm test`
 * runs it, so that a change of the API that breaks one of them does not compile.
 */
export function writeApiTypes(dashboardFile: string): void {
  writeFileSync(dashboardFile, ofDashboard)
  writeFileSync('client/api.d.ts', ofClient)
}
