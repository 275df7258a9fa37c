import { Input, SimpleGrid, VisuallyHidden } from '@mantine/core'
import { type ComponentType, useId } from 'react'
import { controlFor } from '../control-of.ts'
import { type ControlProps, inputProps } from '../control-props.ts'
import { emptyOf } from '../empty-of.ts'
import { errorAt } from '../errors.ts'
import type { Field } from '../field.ts'
import classes from '../fields.module.css'
import { type JsonSchema, withoutNull } from '../json-schema.ts'
import { wordsOf } from '../names.ts'
import { isSame } from '../values.ts'

export interface PartsProps extends ControlProps {
  /** The input for a part, which may have parts of its own. */
  readonly Part: ComponentType<ControlProps<Field>>
}

/** An object, with an input for each of its parts. */
export function Parts({ Part, ...props }: PartsProps) {
  const { field, value, errors, isAlone, onChange } = props
  const id = useId()
  const { label, description } = inputProps(props)
  const Label = isAlone ? VisuallyHidden : Input.Label
  const error = errorAt(errors, field.name)
  const given: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  const parts = Object.entries(withoutNull(field.schema).properties ?? {}).map(([key, schema]) => {
    const part = partOf(field, key, schema)
    return { key, part, value: given[key] ?? part.empty }
  })
  const change = (changed: string, to: unknown) => {
    const next = parts.map(it => (it.key === changed ? { ...it, value: to } : it))
    const isEmpty = next.every(({ part, value }) => isSame(value, part.empty))
    onChange(isEmpty ? field.empty : Object.fromEntries(next.map(it => [it.key, it.value])))
  }

  return (
    <fieldset className={classes.group} aria-labelledby={id}>
      <Label id={id} labelElement="div">
        {label}
      </Label>
      {description && <Input.Description mb="xs">{description}</Input.Description>}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {parts.map(({ key, part, value }) => (
          <Part
            key={key}
            field={part}
            value={value}
            errors={errors}
            onChange={to => change(key, to)}
          />
        ))}
      </SimpleGrid>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  )
}

function partOf(field: Field<string>, key: string, schema: JsonSchema): Field {
  return {
    ...field,
    name: `${field.name}.${key}`,
    label: wordsOf(key),
    hint: null,
    control: controlFor(schema),
    schema,
    isRequired: false,
    empty: emptyOf(schema),
  }
}
