import { Button, Group, Menu, TextInput } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { FieldControl } from '../../../../shared/fields/controls/field-control.tsx'
import { Parts } from '../../../../shared/fields/controls/parts.tsx'
import { isSame } from '../../../../shared/fields/values.ts'
import { IconBookmark, IconTrash } from '../../../../shared/icons/icons.ts'
import { utmTexts } from '../../../../texts/link-form.ts'
import { texts } from '../../../../texts.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'

interface Template {
  readonly name: string
  readonly value: unknown
}

const maxName = 60

/** UTM parameters, and templates for them. */
export function UtmChoice(props: LinkControlProps) {
  const { field, value, onChange } = props
  const { templates, keep, remove } = useTemplates()
  const [name, setName] = useState<string>()
  const current = templates.find(it => isSame(it.value, value))
  const isEmpty = value === null || value === undefined
  const canKeep = !isEmpty && !current
  const keepIt = () => {
    if (name?.trim()) keep({ name: name.trim(), value })
    setName(undefined)
  }

  return (
    <div>
      <Parts {...props} Part={FieldControl} />
      {field.state === 'on' && (templates.length > 0 || canKeep) && (
        <Group gap="xs" mt="sm" align="end">
          {name === undefined ? (
            <Menu position="bottom-start">
              <Menu.Target>
                <Button size="xs" variant="default" leftSection={<IconBookmark size={15} />}>
                  {current?.name ?? utmTexts.templates}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {templates.map(it => (
                  <Menu.Item key={it.name} onClick={() => onChange(it.value)}>
                    {it.name}
                  </Menu.Item>
                ))}
                {templates.length > 0 && (canKeep || current) && <Menu.Divider />}
                {canKeep && <Menu.Item onClick={() => setName('')}>{utmTexts.keep}</Menu.Item>}
                {current && (
                  <Menu.Item
                    color="red"
                    leftSection={<IconTrash size={16} />}
                    onClick={() => remove(current.name)}
                  >
                    {utmTexts.remove(current.name)}
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          ) : (
            <>
              <TextInput
                size="xs"
                label={utmTexts.name}
                maxLength={maxName}
                autoFocus
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
                onKeyDown={event => {
                  if (event.key !== 'Enter') return
                  // Enter must not submit the link's form.
                  event.preventDefault()
                  keepIt()
                }}
              />
              <Button size="xs" variant="default" onClick={keepIt}>
                {texts.common.save}
              </Button>
            </>
          )}
        </Group>
      )}
    </div>
  )
}

/** Templates are kept in this browser; saving one under an existing name replaces it. */
function useTemplates() {
  const [templates, setTemplates] = useLocalStorage<readonly Template[]>({
    key: 'linnet-utm-templates',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const without = (name: string) => templates.filter(it => it.name !== name)
  return {
    templates,
    keep: (template: Template) =>
      setTemplates(
        [...without(template.name), template].sort((a, b) => a.name.localeCompare(b.name)),
      ),
    remove: (name: string) => setTemplates(without(name)),
  }
}
