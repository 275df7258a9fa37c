import { Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Link } from '../../../api/links/links.ts'
import type { FieldForm } from '../../../shared/fields/use-field-form.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { linkFormTexts } from '../../../texts/link-form.ts'
import type { FormField, FormFields } from './fields/form-fields.ts'
import { FormerCodes } from './former-codes.tsx'
import { LinkControl } from './link-control.tsx'
import classes from './link-form.module.css'
import { Sections } from './sections.tsx'

export interface LinkFormProps {
  readonly fields: FormFields
  readonly state: FieldForm
  readonly link?: Link
  /** A problem of the form as a whole. */
  readonly problem: string | null | undefined
  readonly isPending: boolean
  readonly onSubmit: React.FormEventHandler<HTMLFormElement>
  /** The buttons at the end. */
  readonly children: ReactNode
}

/** All settings of a link, new or existing. */
export function LinkForm(props: LinkFormProps) {
  const { fields, state, link, problem, isPending, onSubmit, children } = props
  const form = useFocusOnErrors(isPending)
  const control = (field: FormField) => (
    <LinkControl
      key={field.name}
      field={field}
      value={state.values[field.name]}
      errors={state.errors}
      link={link}
      values={state.values}
      onChange={value => state.set(field.name, value)}
    />
  )
  const isOfUrl = ({ name }: FormField) => ['original_url', 'domain', 'short_code'].includes(name)

  return (
    <form
      ref={form}
      className={classes.form}
      data-wide={link === undefined || undefined}
      onSubmit={onSubmit}
      aria-busy={isPending}
      noValidate
    >
      <section className={classes.card} aria-labelledby="link-main">
        <Title order={2} id="link-main">
          {linkFormTexts.main}
        </Title>
        {fields.main.filter(isOfUrl).map(control)}
        <FormerCodes link={link} />
        {fields.main.filter(it => !isOfUrl(it)).map(control)}
      </section>
      {fields.sorting.length > 0 && (
        <section className={classes.card} aria-labelledby="link-sorting">
          <Title order={2} id="link-sorting">
            {linkFormTexts.sorting}
          </Title>
          {fields.sorting.map(control)}
        </section>
      )}
      {fields.sections.length > 0 && (
        <section className={classes.options} aria-labelledby="link-options">
          <Title order={2} id="link-options">
            {linkFormTexts.options}
          </Title>
          <Sections sections={fields.sections} link={link} {...state} />
        </section>
      )}
      <div className={classes.bar}>
        <FormProblem problem={problem} />
        {children}
      </div>
    </form>
  )
}

/** After an answer with errors, moves the focus to the first invalid input, once it is rendered. */
function useFocusOnErrors(isPending: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const wasPending = useRef(false)
  useEffect(() => {
    const isAnswered = wasPending.current && !isPending
    wasPending.current = isPending
    if (!isAnswered) return
    const frame = requestAnimationFrame(() => {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [isPending])
  return form
}
