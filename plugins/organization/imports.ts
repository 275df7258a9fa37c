import { makeImports } from './imports/make-imports.ts'
import { sources } from './imports/sources.ts'

export default makeImports(sources)
