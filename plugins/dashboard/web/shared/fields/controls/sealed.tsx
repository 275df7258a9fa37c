import { Button, Group, Input, PasswordInput, Text } from '@mantine/core'
import { useId } from 'react'
import { texts } from '../../../texts.ts'
import { type ControlProps, inputProps, textOf } from '../control-props.ts'
import classes from '../fields.module.css'

/** A password that can be set, changed and removed, but never read. Undefined leaves it unchanged. */
export function Sealed(props: ControlProps) {
  const { value, isSealed = false, onChange } = props
  if (isSealed && typeof value !== 'string') {
    return <Kept {...props} isRemoved={value === null} />
  }
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <PasswordInput
        {...inputProps(props)}
        flex={1}
        autoComplete="new-password"
        value={textOf(value)}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === '' && !isSealed ? undefined : value)
        }
      />
      {isSealed && (
        <Button variant="default" onClick={() => onChange(undefined)}>
          {texts.common.cancel}
        </Button>
      )}
    </Group>
  )
}

function Kept({ isRemoved, ...props }: ControlProps & { readonly isRemoved: boolean }) {
  const id = useId()
  const { label, description, error, disabled } = inputProps(props)
  const small = { size: 'xs', variant: 'default' } as const
  return (
    <fieldset className={classes.group} aria-labelledby={id}>
      <Input.Label id={id} labelElement="div">
        {label}
      </Input.Label>
      {description && <Input.Description>{description}</Input.Description>}
      <Group gap="xs" mt={4}>
        <Text size="sm" flex={1} miw="12rem">
          {isRemoved ? texts.fields.passwordRemoved : texts.fields.passwordSet}
        </Text>
        {isRemoved ? (
          <Button {...small} onClick={() => props.onChange(undefined)}>
            {texts.fields.passwordKeep}
          </Button>
        ) : (
          <>
            {!disabled && (
              <Button {...small} onClick={() => props.onChange('')}>
                {texts.fields.passwordChange}
              </Button>
            )}
            <Button {...small} onClick={() => props.onChange(null)}>
              {texts.fields.remove}
            </Button>
          </>
        )}
      </Group>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  )
}
