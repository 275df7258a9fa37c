import { Accordion, Badge, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { hasErrors } from '../../../shared/fields/errors.ts'
import type { Values } from '../../../shared/fields/values.ts'
import { linkFormTexts } from '../../../texts/link-form.ts'
import { texts } from '../../../texts.ts'
import type { FormField, FormSection } from './fields/form-fields.ts'
import type { LinkControlProps } from './fields/link-control-props.ts'
import { summaryOf } from './fields/summary.ts'
import { LinkControl } from './link-control.tsx'
import classes from './link-form.module.css'

export interface SectionsProps extends Pick<LinkControlProps, 'errors' | 'link'> {
  readonly sections: readonly FormSection[]
  readonly values: Values
  set(name: string, value: unknown): void
}

/** The sections of plugins, collapsed unless one of their fields has an error. */
export function Sections({ sections, ...props }: SectionsProps) {
  const [opened, setOpened] = useState<readonly string[]>([])
  const isWrong = ({ fields }: FormSection) => fields.some(it => hasErrors(props.errors, it.name))
  const open = new Set([...opened, ...sections.filter(isWrong).map(({ feature }) => feature)])
  return (
    <Accordion
      multiple
      variant="separated"
      order={3}
      keepMounted={false}
      value={[...open]}
      onChange={setOpened}
      classNames={{
        item: classes.option,
        control: classes.optionControl,
        label: classes.optionLabel,
      }}
    >
      {sections.map(section =>
        isSwitch(section) ? (
          <SwitchRow key={section.feature} section={section} {...props} />
        ) : (
          <Option key={section.feature} section={section} {...props} />
        ),
      )}
    </Accordion>
  )
}

type OptionProps = Omit<SectionsProps, 'sections'> & { readonly section: FormSection }

function Option({ section, values, link, errors, set }: OptionProps) {
  const { feature, heading, about, isBarred, fields } = section
  const summary = summaryOf(fields, values, link)
  return (
    <Accordion.Item value={feature}>
      <Accordion.Control>
        <span className={classes.optionName}>{heading}</span>
        {isBarred ? <Barred /> : null}
        <span className={classes.summary}>{summary ?? (isBarred ? '' : texts.fields.unset)}</span>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <p className={classes.about}>{isBarred ? linkFormTexts.barredLead : about}</p>
          <div className={classes.fields}>
            {fields.map(field => (
              <div key={field.name} className={isNarrow(field) ? undefined : classes.wide}>
                <LinkControl
                  field={field}
                  value={values[field.name]}
                  errors={errors}
                  link={link}
                  values={values}
                  isAlone={fields.length === 1}
                  onChange={value => set(field.name, value)}
                />
              </div>
            ))}
          </div>
          {isBarred && <Remove fields={fields} values={values} set={set} />}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  )
}

/** Whether two of them fit into a row. */
function isNarrow({ control }: FormField): boolean {
  return ['date', 'end', 'number', 'choice'].includes(control)
}

/** A single switch needs no collapsible section. */
function isSwitch({ fields }: FormSection): boolean {
  return fields.length === 1 && fields[0]?.control === 'toggle'
}

function SwitchRow({ section, values, link, errors, set }: OptionProps) {
  return (
    <div className={classes.switchRow}>
      {section.fields.map(field => (
        <LinkControl
          key={field.name}
          field={field}
          value={values[field.name]}
          errors={errors}
          link={link}
          values={values}
          onChange={value => set(field.name, value)}
        />
      ))}
      {section.isBarred && <Barred />}
    </div>
  )
}

/** Shows what the plan lacks, so that people know it exists. */
function Barred() {
  return (
    <Badge variant="default" tt="none" fw={500}>
      {linkFormTexts.barred}
    </Badge>
  )
}

type RemoveProps = Pick<OptionProps, 'values' | 'set'> & { readonly fields: readonly FormField[] }

/** Settings outlast the end of a plan; removing them is always allowed. */
function Remove({ fields, values, set }: RemoveProps) {
  const isSet = (field: FormField) => field.control !== 'password' && values[field.name] !== null
  const left = fields.filter(isSet)
  if (left.length === 0) return null
  return (
    <Button
      variant="default"
      size="xs"
      style={{ alignSelf: 'start' }}
      onClick={() => {
        for (const { name } of left) set(name, null)
      }}
    >
      {texts.fields.remove}
    </Button>
  )
}
