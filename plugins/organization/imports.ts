import { apart } from './imports/apart/read-apart.ts'
import { makeImports } from './imports/make-imports.ts'
import { sources } from './imports/sources.ts'

export default makeImports(sources.map(source => apart(source)))
