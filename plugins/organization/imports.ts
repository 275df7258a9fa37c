import { definePlugin, endpoint, z } from '../../core/plugin.ts'
import { showSource, sourceSchema } from './imports/show-source.ts'
import { sources } from './imports/sources.ts'

export default definePlugin({
  feature: 'organization.imports',
  about: 'Bring links, their visits and tags from other programs.',
  endpoints: {
    'GET /imports/sources': endpoint({
      summary: 'List the programs from which links can come',
      scope: 'links:write',
      answer: z.strictObject({ data: z.array(sourceSchema) }),
      handle: () => ({ data: sources.map(showSource) }),
    }),
  },
})
