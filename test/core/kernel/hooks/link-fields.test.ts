import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createContainment } from '../../../../core/kernel/contain/contain.ts'
import { createLinkFields, type WriteKind } from '../../../../core/kernel/hooks/link-fields.ts'
import type { GivenFields } from '../../../../core/links/hooks.ts'
import type { StoredFields } from '../../../../core/links/link.ts'
import { date, definePlugin, number, sealed, text } from '../../../../core/plugin.ts'

const about = 'A plugin for a test.'
const mood = definePlugin({
  feature: 'a.mood',
  about,
  fields: {
    mood: text({ label: 'Mood', hint: 'One word.', max: 10 }),
    until: date({ label: 'Until' }),
    wish: text({ label: 'Wish', when: 'create', stored: false }),
  },
})
const limit = definePlugin({
  feature: 'a.limit',
  about,
  fields: {
    wish: text({ label: 'New wish', when: 'edit', stored: false }),
    most: number({ label: 'Most' }),
    word: sealed({ label: 'Word' }),
  },
})
const lines: string[] = []
const note = (line: string) => void lines.push(line)
const contain = createContainment({ info: note, warn: note, error: note })
const fields = createLinkFields([mood, limit], contain)

async function store(before: StoredFields, given: GivenFields, kind: WriteKind) {
  const stored = await fields.store(before, given, kind, 1)
  if (stored === undefined) throw new Error('A plugin failed')
  return stored
}

describe('the fields of plugins', () => {
  it('are null in answers when their plugin fails to show them, and it is named', () => {
    // The mistake of an author who forgot that most links do not have the field.
    const of = (stored: unknown) => (stored as string).length
    const size = { ...text({ label: 'Size' }), shown: { name: String, schema: z.int(), of } }
    const one = definePlugin({ feature: 'a.size', about, fields: { size } })
    const both = createLinkFields([one, mood], contain)
    expect(both.show({ 'a.mood': { mood: 'calm' } })).toMatchObject({ size: null, mood: 'calm' })
    expect(lines).toEqual([expect.stringMatching(/^a\.size fields\.size failed: /)])
  })

  it('are null in answers when JSON has no form for what their plugin shows, and it is named', () => {
    lines.length = 0
    const of = () => 7n as never
    const size = { ...text({ label: 'Size' }), shown: { name: String, schema: z.int(), of } }
    const one = definePlugin({ feature: 'a.huge', about, fields: { size } })
    const both = createLinkFields([one, mood], contain)
    expect(both.show({ 'a.mood': { mood: 'calm' } })).toMatchObject({ size: null, mood: 'calm' })
    expect(lines).toEqual(['a.huge fields.size failed: what it shows is not JSON'])
  })

  it('are what requests may carry, by kind; none is required and null clears', () => {
    const shape = (kind: 'create' | 'edit') => z.strictObject(fields.requestShape(kind))
    expect(Object.keys(shape('create').shape)).toEqual(['mood', 'until', 'wish', 'most', 'word'])
    expect(Object.keys(shape('edit').shape)).toEqual(['mood', 'until', 'wish', 'most', 'word'])
    expect(shape('create').safeParse({}).success).toBe(true)
    expect(shape('edit').safeParse({ mood: null, most: null, word: null }).success).toBe(true)
    expect(shape('edit').safeParse({ mood: 'far too long a mood' }).success).toBe(false)
  })

  it('are described by their label and hint', () => {
    const { mood, most } = fields.requestShape('create')
    expect(mood?.description).toBe('Mood. One word.')
    expect(most?.description).toBe('Most.')
  })

  it('show what is stored, and null or false where nothing is', async () => {
    const nothing = { mood: null, until: null, most: null, hasWord: false }
    expect(fields.show({})).toEqual(nothing)
    const stored = await store({}, { mood: 'calm', most: 3, word: 'sesame' }, 'create')
    expect(fields.show(stored)).toEqual({ ...nothing, mood: 'calm', most: 3, hasWord: true })
    expect(z.strictObject(fields.answerShape()).parse(fields.show(stored))).toBeDefined()
  })

  it('belong to their plugin', () => {
    const given = { mood: 'calm', wish: 'x', most: null }
    expect(fields.givenTo(mood, 'create', given)).toEqual({ mood: 'calm', wish: 'x' })
    expect(fields.givenTo(mood, 'edit', given)).toEqual({ mood: 'calm' })
    expect(fields.givenTo(limit, 'create', given)).toEqual({ most: null })
    expect(fields.givenTo(limit, 'edit', given)).toEqual({ wish: 'x', most: null })
  })

  it('are stored by plugin, but for those that only pass through', async () => {
    const given = { mood: 'calm', until: '2026-12-24T18:00:00+01:00', wish: 'x' }
    expect(await store({}, given, 'create')).toEqual({
      'a.mood': { mood: 'calm', until: '2026-12-24T17:00:00.000Z' },
    })
  })

  it('keep what is not named, lose what is null, and leave no empty plugin behind', async () => {
    const before = { 'a.mood': { mood: 'calm' }, 'a.limit': { most: 3 } }
    expect(await store(before, { until: null, most: 4 }, 'edit')).toEqual({
      'a.mood': { mood: 'calm' },
      'a.limit': { most: 4 },
    })
    expect(await store(before, { mood: null }, 'edit')).toEqual({ 'a.limit': { most: 3 } })
    expect(before).toEqual({ 'a.mood': { mood: 'calm' }, 'a.limit': { most: 3 } })
  })

  it('of a plugin that is off stay as they are', async () => {
    const before = { 'a.gone': { old: true } }
    const after = await store(before, { mood: 'calm' }, 'edit')
    expect(after).toEqual({ 'a.gone': { old: true }, 'a.mood': { mood: 'calm' } })
    expect(fields.show(after)).not.toHaveProperty('old')
  })

  it('open as their plugin sees them, and to no other', async () => {
    const given = { mood: 'calm', until: '2026-12-24T17:00:00Z', word: 'sesame' }
    const stored = await store({}, given, 'create')
    expect(fields.open(mood, stored)).toEqual({
      mood: 'calm',
      until: new Date('2026-12-24T17:00:00Z'),
    })
    const { word } = fields.open(limit, stored) as { word: { matches(text: string): unknown } }
    expect([await word.matches('sesame'), await word.matches('barley')]).toEqual([true, false])
    expect(fields.open(mood, {})).toEqual({})
  })
})
