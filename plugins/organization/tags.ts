import {
  definePlugin,
  endpoint,
  field,
  isRefusal,
  listOf,
  listSchema,
  pageQuery,
  publicId,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import { colorSchema, nameSchema, searchSchema, shownNameAndColor } from './name-and-color.ts'
import { ownThings, type Thing } from './own-things.ts'
import { makeTagTables } from './tag-tables.ts'
import {
  linksWithTags,
  maxTagsEach,
  tagFilter,
  tagIdsSchema,
  tagLink,
  tagsOfLinkSchema,
  tagsOfLinks,
} from './tagged-links.ts'

const tags = ownThings<Thing>({
  word: 'tag',
  idKind: 'tag',
  table: 'organization_tags',
  linksTable: 'organization_tags_links',
  linksKey: 'tag_id',
})

const newTag = z.strictObject({ name: nameSchema, color: colorSchema.optional() })

const tagSchema = z.strictObject({
  id: z.string().meta({ examples: ['tag_Gv8J65Sxcr'] }),
  ...shownNameAndColor,
  linksCount: z.int().min(0),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
const answer = z.strictObject({ data: tagSchema })

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
      links: async (id, { accountId }, { db }) =>
        (await tags.find(db, accountId, id)) && linksWithTags(db, { tagIds: [id] }),
    },
  },
  limits: { maxTags: { label: 'Tags', used: 'tagsCount' } },
  usage: { tagsCount: (accountId, { db }) => tags.count(db, accountId) },

  endpoints: {
    'POST /tags': endpoint({
      summary: 'Create a tag',
      scope: 'tags:write',
      body: newTag,
      answer,
      status: 201,
      limit: 'maxTags',
      async handle({ caller, body: { name, color } }, { db, now }) {
        const tag = await tags.add(db, caller.accountId, { name, color }, now())
        return isRefusal(tag) ? tag : { data: shown(tag) }
      },
    }),
    'GET /tags': endpoint({
      summary: 'List your tags, by name',
      scope: 'tags:read',
      query: pageQuery.extend({ search: searchSchema }),
      answer: listSchema(tagSchema),
      async handle({ caller, query }, { db }) {
        const page = { ...sliceOf(query), search: query.search }
        const { rows, total, next } = await tags.list(db, caller.accountId, page)
        return listOf(rows.map(shown), total, query, '/api/v1/tags', next)
      },
    }),
    'GET /tags/:id': endpoint({
      summary: 'Show a tag',
      scope: 'tags:read',
      answer,
      version: ({ data: { linksCount, ...tag } }) => tag,
      async handle({ caller, params: { id = '' } }, { db }) {
        const tag = await tags.find(db, caller.accountId, id)
        return tag && { data: shown(tag) }
      },
    }),
    'PATCH /tags/:id': endpoint({
      summary: 'Change the name or colour of a tag',
      scope: 'tags:write',
      body: newTag.partial(),
      answer,
      async handle({ caller, params: { id = '' }, body }, { db, now }) {
        const before = await tags.find(db, caller.accountId, id)
        if (!before) return
        const tag = await tags.change(db, caller.accountId, before, body, now())
        return isRefusal(tag) ? tag : { data: shown(tag) }
      },
    }),
    'DELETE /tags/:id': endpoint({
      summary: 'Delete a tag, and keep its links',
      scope: 'tags:write',
      answer: z.strictObject({}),
      status: 204,
      async handle({ caller, params: { id = '' } }, { db }) {
        return (await tags.remove(db, caller.accountId, id)) ? {} : undefined
      },
    }),
  },
})

function shown(tag: Thing) {
  return {
    id: publicId('tag', tag.id),
    name: tag.name,
    color: tag.color,
    linksCount: Number(tag.links_count),
    createdAt: new Date(tag.created_at).toISOString(),
    updatedAt: new Date(tag.updated_at).toISOString(),
  }
}
