import { expect, it } from 'vitest'
import { describePlugin } from '../../../../core/kernel/load/manifest.ts'
import { definePlugin, field, list, number, sealed, text, z } from '../../../../core/plugin.ts'
import {
  allFields,
  formFields,
} from '../../../../plugins/dashboard/web/pages/links/link-form/fields/form-fields.ts'
import {
  differencesOf,
  rebase,
  valuesOf,
} from '../../../../plugins/dashboard/web/pages/links/link-form/fields/values.ts'
import { errorsAfter } from '../../../../plugins/dashboard/web/shared/fields/errors.ts'
import { changeOf } from '../../../../plugins/dashboard/web/shared/fields/values.ts'

/** Another author's plugin, which this code does not know. */
const stranger = definePlugin({
  feature: 'acme.giftWrap',
  about: 'Wrap links as gifts.',
  fields: {
    ribbonColor: text({ label: 'Ribbon', max: 20 }),
    layers: number({ label: 'Layers', max: 9, when: 'create' }),
    secretNote: sealed({ label: 'Secret note' }),
    greeting: field(z.string().max(5_000), { label: 'Greeting', control: 'calligraphy' }),
    paper: field(z.enum(['plain', 'striped']), { label: 'Paper', control: 'swatch' }),
    bow: field(z.strictObject({ size: z.number().nullable(), isBig: z.boolean() }), {
      label: 'Bow',
      control: 'bow-maker',
    }),
    parts: field(z.array(z.array(z.number())), { label: 'Parts', control: 'matrix' }),
    senders: list({ label: 'Senders', maxEach: 4_000 }),
    lists: field(z.array(z.string()), { label: 'Lists', control: 'rules' }),
  },
})

const manifest = [describePlugin(stranger, true)]

it('gives every field of a plugin that it has never heard of an input', () => {
  const [section] = formFields(manifest, 'create').sections
  expect(section?.heading).toBe('Gift wrap')
  expect(section?.fields.map(({ name, control }) => `${name}: ${control}`)).toEqual([
    'ribbon_color: text',
    'layers: number',
    'secret_note: password',
    'greeting: prose',
    'paper: choice',
    'bow: object',
    'parts: json',
    'senders: list',
    'lists: list',
  ])
})

it('asks for what belongs to a new link only there', () => {
  const names = allFields(formFields(manifest, 'edit')).map(({ name }) => name)
  expect(names).toContain('ribbon_color')
  expect(names).not.toContain('layers')
})

it('shows what the plan lacks, and what nothing installed can change', () => {
  const barred = formFields([describePlugin(stranger, false)], 'edit')
  expect(barred.sections[0]).toMatchObject({
    isBarred: true,
    fields: [{ state: 'barred' }, {}, {}, {}, {}, {}, {}, {}],
  })
  expect(barred.main[0]).toMatchObject({ name: 'original_url', state: 'fixed' })
  expect(formFields([], 'create').main[0]).toMatchObject({ state: 'on', isRequired: true })
})

it('sends what was changed and nothing else', () => {
  const fields = allFields(formFields(manifest, 'edit'))
  const before = valuesOf(fields)
  const after = { ...before, ribbon_color: 'red', bow: null, secret_note: undefined }
  expect(changeOf(before, after)).toEqual({ ribbon_color: 'red' })
})

it('tells who changed what, and lays one upon the other', () => {
  const fields = allFields(formFields([], 'edit'))
  const base = { title: 'One', notes: 'a', archived: false }
  const mine = { title: 'Mine', notes: 'a', archived: true }
  const theirs = { title: 'Theirs', notes: 'b', archived: true }
  expect(
    differencesOf(fields, { base, mine, theirs }).map(it => [it.field.name, it.isDisputed]),
  ).toEqual([
    ['title', true],
    ['notes', false],
    ['archived', false],
  ])
  expect(rebase(mine, base, theirs)).toEqual({ title: 'Mine', notes: 'b', archived: true })
})

it('forgets what was wrong with a value once that value is another', () => {
  const errors = { title: 'x', 'rules.list[0].name': 'y', 'rules.list[1].name': 'z' }
  const before = { list: [{ name: '' }, { name: '' }] }
  const after = { list: [{ name: 'A' }, { name: '' }] }
  expect(errorsAfter(errors, 'rules', before, after)).toEqual({
    title: 'x',
    'rules.list[1].name': 'z',
  })
  expect(errorsAfter(errors, 'title', 'a', 'b')).not.toHaveProperty('title')
})
