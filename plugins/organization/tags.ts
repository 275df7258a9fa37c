import { collection, definePlugin, field, publicId, z } from '../../core/plugin.ts'
import { handOverNamed } from './hand-over-named.ts'
import { colorSchema, nameSchema, nextColor, shownNameAndColor } from './name-and-color.ts'
import { byName, namedColumns, searchByName, type Thing } from './named-things.ts'
import { makeTagTables } from './tags/tag-tables.ts'
import {
  countLinks,
  linksWithTags,
  maxTagsEach,
  tagFilter,
  taggedWith,
  tagIdsSchema,
  tagLink,
  tagsOfLinkSchema,
  tagsOfLinks,
} from './tags/tagged-links.ts'

const table = 'organization_tags'
const inTables = { table, linksTable: 'organization_tags_links', linksKey: 'tag_id' }

const tags = collection({
  ...byName('tag'),
  path: '/tags',
  table,
  kind: 'tag',
  idKind: 'tag',
  scopes: { read: 'tags:read', write: 'tags:write' },
  summaries: {
    list: 'List your tags, by name',
    create: 'Create a tag',
    show: 'Show a tag',
    change: 'Change the name or colour of a tag',
    delete: 'Delete a tag, and keep its links',
  },
  unstable: {
    tools: {
      list: 'List the tags of the account, whose ids links take.',
      create: 'Create a tag. Look first whether there is one of that name.',
    },
  },
  limit: 'maxTags',
  dated: true,
  body: z.strictObject({ name: nameSchema, color: colorSchema.optional() }),
  create: async ({ name, color }, { count }) => ({
    ...namedColumns(name),
    color: color ?? nextColor(await count()),
  }),
  change: ({ name, color }) => ({ ...namedColumns(name), color }),
  filter: searchByName,
  item: z.strictObject({
    id: z.string().meta({ examples: ['tag_Gv8J65Sxcr'] }),
    ...shownNameAndColor,
    linksCount: z.int().min(0),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  }),
  async show(rows: readonly Named[], { db }) {
    const tags: ReturnType<typeof shown>[] = []
    // One after another: a link is in one campaign, but a hundred tags may have a million links.
    for (const row of rows) tags.push(shown(row, await countLinks(db, row.id)))
    return tags
  },
  version: ({ linksCount, ...tag }) => tag,
})

export default definePlugin({
  feature: 'organization.tags',
  about: 'Label links with coloured tags, and filter links by tag.',
  flag: 'tagCreationEnabled',
  scopes: ['tags:read', 'tags:write'],
  fields: {
    tagIds: field(tagIdsSchema, {
      label: 'Tags',
      hint: `Ids of tags, at most ${maxTagsEach}.`,
      control: 'tags',
      stored: false,
    }),
    addTagIds: field(tagIdsSchema, {
      label: 'Tags to add',
      hint: 'Ids of tags to add to the link.',
      control: 'none',
      when: 'edit',
      stored: false,
    }),
    removeTagIds: field(tagIdsSchema, {
      label: 'Tags to remove',
      hint: 'Ids of tags to remove from the link.',
      control: 'none',
      when: 'edit',
      stored: false,
    }),
  },
  migrations: { '001-tags': makeTagTables },

  save: (link, change, { db }) => tagLink(db, link, change),
  computed: {
    schema: { tags: tagsOfLinkSchema },
    of: async (links, { db }) => (await tagsOfLinks(db, links)).map(tags => ({ tags })),
    atFirst: { tags: [] },
  },
  filter: {
    query: tagFilter.shape,
    where: (query, { db }) => linksWithTags(db, query as z.output<typeof tagFilter>),
  },
  groups: {
    '/tags': {
      summary: 'Statistics of all links with a tag',
      async links(id, caller, context) {
        const tag = await tags.find(caller, id, context)
        return tag && taggedWith(context.db, [tag.id])
      },
    },
  },
  limits: { maxTags: { label: 'Tags', used: 'tagsCount' } },
  usage: { tagsCount: tags.count },
  unstable: { handOver: (what, context) => handOverNamed(context, what, inTables) },
  endpoints: tags.endpoints,
})

type Named = Omit<Thing, 'links_count'>

function shown(tag: Named, linksCount: number) {
  return {
    id: publicId('tag', tag.id),
    name: tag.name,
    color: tag.color,
    linksCount,
    createdAt: new Date(tag.created_at).toISOString(),
    updatedAt: new Date(tag.updated_at).toISOString(),
  }
}
