import { describe, expect, test } from 'vitest'
import {
  cursorText,
  listOf,
  listSchema,
  pageQuery,
  sliceOf,
} from '../../../../core/plugin/lists/paging.ts'
import { z } from '../../../../core/plugin.ts'

const path = '/api/v1/things'

describe('which page', () => {
  test('is the first, with twenty rows, unless the query says otherwise', () => {
    expect(pageQuery.parse({})).toEqual({ page: 1, perPage: 20 })
    expect(pageQuery.parse({ page: '3', perPage: '100' })).toEqual({ page: 3, perPage: 100 })
  })

  test.each([
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: 'one' },
    { page: '' },
    { page: '1000001' },
    { page: ['1', '2'] },
    { perPage: '0' },
    { perPage: '101' },
    { offset: '5' },
    { cursor: '' },
    { cursor: 'abc' },
    { cursor: cursorText({ page: 0, after: [1] }) },
    { cursor: 'x'.repeat(8_193) },
  ])('cannot be %j', query => {
    expect(pageQuery.safeParse(query).success).toBe(false)
  })

  test('says which rows', () => {
    expect(sliceOf({ page: 1, perPage: 20 })).toEqual({ offset: 0, limit: 20 })
    expect(sliceOf({ page: 3, perPage: 50 })).toEqual({ offset: 100, limit: 50 })
  })

  test('can be said by a place between two rows, too', () => {
    const cursor = cursorText({ page: 4, after: ['Über', 7] })
    const query = pageQuery.parse({ cursor, perPage: '2' })
    expect(sliceOf(query)).toEqual({ offset: 0, limit: 2, after: ['Über', 7] })
    const { meta, links } = listOf([], 9, query, path, ['Ägypten', 8])
    expect(meta).toMatchObject({
      currentPage: 4,
      nextCursor: cursorText({ page: 5, after: ['Ägypten', 8] }),
    })
    expect(links.prev).toBe('/api/v1/things?page=3&per_page=2')
  })
})

describe('a page', () => {
  const table = `
    page  total  last  prev  next
    1     0      1     -     -
    1     2      1     -     -
    1     3      2     -     2
    2     3      2     1     -
    2     5      3     1     3
    9     3      2     2     -
    9     0      1     1     -`
  const rows = table.trim().split('\n').slice(1)
  test.each(rows.map(row => row.trim().split(/\s+/)))(
    '%s of %s rows: the last is %s, beside it %s and %s',
    (page, total, last, prev, next) => {
      const { meta, links } = listOf([], Number(total), { page: Number(page), perPage: 2 }, path)
      const to = (number?: string) =>
        number === '-' ? null : `/api/v1/things?page=${number}&per_page=2`
      expect(meta.lastPage).toBe(Number(last))
      expect(links).toEqual({ first: to('1'), prev: to(prev), next: to(next), last: to(last) })
    },
  )

  test('fits the schema of lists', () => {
    const list = listOf(['a', 'b'], 5, { page: 1, perPage: 2 }, path)
    expect(listSchema(z.string()).parse(list)).toEqual(list)
  })

  test('keeps the filters in its links, named and written as requests have them', () => {
    const query = {
      page: 1,
      perPage: 20,
      search: 'a & b',
      createdFrom: new Date('2026-11-20T12:00:00.000Z'),
      tagIds: ['tag_1', 'tag_2'],
      archived: undefined,
    }
    expect(listOf([], 0, query, path).links.first).toBe(
      '/api/v1/things?page=1&per_page=20&search=a+%26+b' +
        '&created_from=2026-11-20T12%3A00%3A00.000Z&tag_ids=tag_1&tag_ids=tag_2',
    )
  })
})
