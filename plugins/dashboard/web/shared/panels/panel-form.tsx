import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isProblem } from '../../api/client/problem.ts'
import type { Answer, Filling, Panel } from '../../api/instance/panels.ts'
import { texts } from '../../texts.ts'
import { controlOf } from '../fields/control-of.ts'
import { FieldControl } from '../fields/controls/field-control.tsx'
import { emptyOf } from '../fields/empty-of.ts'
import type { Field } from '../fields/field.ts'
import { toSnake } from '../fields/names.ts'
import { useFieldForm } from '../fields/use-field-form.ts'
import { isSame, type Values } from '../fields/values.ts'
import { useSubmit } from '../forms/use-submit.ts'
import { FormProblem } from '../notices/form-problem.tsx'
import { notifyDone } from '../notices/notify.ts'
import classes from './panel.module.css'
import { showOnce } from './show-once.tsx'
import { useCall, useRefreshPanels } from './use-call.ts'

export type Form = NonNullable<Panel['form']>

export interface PanelFormProps {
  readonly form: Form
  /** What a form that changes something starts with. */
  readonly data: object | undefined
  readonly etag: string | undefined
  /** The address that `data` is from. */
  readonly from?: string | undefined
  readonly fill: Filling
  /** Called once it is sent. */
  onDone?(): void
}

/** A form of a plugin, empty or with what it changes. What is typed stays if that is changed elsewhere meanwhile. */
export function PanelForm({ form, data, etag, from, fill, onDone }: PanelFormProps) {
  const isChange = form.method === 'PATCH'
  const newest = { start: startOf(form, (isChange && data) || {}), etag }
  const [base, setBase] = useState<{ start: Values; etag: string | undefined }>(newest)
  const state = useFieldForm(base.start)
  useNewest(newest, () => {
    if (state.form.isDirty()) return
    setBase(newest)
    state.rebase(newest.start)
  })
  const send = useCall(form, fill)
  const refresh = useRefreshPanels(from)
  const { submit, isPending, problem } = useSubmit(
    state.form,
    async values => {
      try {
        const answer = await send(bodyOf(values, base.start), isChange ? base.etag : undefined)
        return { values, answer }
      } catch (error) {
        // The problem says so. Whoever sends it again means it.
        if (isProblem(error, 'stale')) setBase({ ...base, etag: undefined })
        throw error
      }
    },
    ({ values, answer }: { values: Values; answer: Answer }) => {
      onDone?.()
      if (form.show.length > 0) showOnce(form.submit, form.show, answer)
      else notifyDone(isChange ? texts.common.saved : texts.common.done)
      state.rebase(isChange ? values : base.start)
      return refresh()
    },
  )
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <FormProblem problem={problem} />
      {form.fields.map(fieldOf).map(field => (
        <FieldControl
          key={field.name}
          field={field}
          value={state.values[field.name]}
          errors={state.errors}
          onChange={value => state.set(field.name, value)}
        />
      ))}
      <Button type="submit" loading={isPending}>
        {form.submit}
      </Button>
    </form>
  )
}

/** Calls `take` whenever there is something newer than before. */
function useNewest(newest: object, take: () => void): void {
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  const text = JSON.stringify(newest)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is the news
  useEffect(() => latest.current(), [text])
}

function fieldOf({ required, ...field }: Form['fields'][number]): Field {
  const { name, control, schema } = field
  return {
    ...field,
    name: toSnake(name),
    control: controlOf(control, schema),
    isRequired: required,
    empty: emptyOf(schema),
    state: 'on',
  }
}

/** The values that the form starts with, under the names that a request has. */
function startOf({ fields }: Form, data: object): Values {
  const known = new Map<string, unknown>(Object.entries(data))
  return Object.fromEntries(
    fields.map(({ name, schema }) => [toSnake(name), known.get(name) ?? emptyOf(schema)]),
  )
}

/** What is sent: not what was empty and still is, but null where something was removed. */
function bodyOf(values: Values, start: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !(isNothing(value) && isSame(value, start[name])),
    ),
  )
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
