import { Input, SimpleGrid, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { controlFor, withoutNull } from '../control-of.ts'
import { type ControlProps, inputProps } from '../control-props.ts'
import { errorAt } from '../errors.ts'
import { FieldControl } from '../field-control.tsx'
import type { FormField } from '../form-fields.ts'
import classes from '../link-form.module.css'
import { wordsOf } from '../names.ts'

/** An object: an input for each of its parts. */
export function Parts(props: ControlProps) {
  const { field, value, errors, isAlone, onChange } = props
  const id = useId()
  const { label, description } = inputProps(props)
  const Label = isAlone ? VisuallyHidden : Input.Label
  const error = errorAt(errors, field.name)
  const parts: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  const change = (key: string, part: unknown) => {
    const all = { ...Object.fromEntries(names.map(it => [it, parts[it] ?? null])), [key]: part }
    onChange(Object.values(all).every(it => it === null) ? null : all)
  }
  const properties = Object.entries(withoutNull(field.schema).properties ?? {})
  const names = properties.map(([key]) => key)

  return (
    <fieldset className={classes.group} aria-labelledby={id}>
      <Label id={id} labelElement="div">
        {label}
      </Label>
      {description && <Input.Description mb="xs">{description}</Input.Description>}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {properties.map(([key, schema]) => (
          <FieldControl
            key={key}
            {...props}
            field={partOf(field, key, schema)}
            value={parts[key] ?? null}
            onChange={part => change(key, part)}
          />
        ))}
      </SimpleGrid>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  )
}

function partOf(field: FormField, key: string, schema: FormField['schema']): FormField {
  return {
    ...field,
    name: `${field.name}.${key}`,
    shownAs: key,
    label: wordsOf(key),
    hint: null,
    control: controlFor(schema),
    schema,
    isRequired: false,
  }
}
