import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Description, ParameterObject } from '../../../api/instance/description.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { formatNumber } from '../../../shared/text/format.ts'
import { apiTexts } from '../../../texts/api.ts'
import classes from './api-page.module.css'
import { CallElsewhere } from './call-elsewhere.tsx'
import { type Filled, keyOf } from './filled.ts'
import type { Operation } from './operations.ts'
import { type Received, send } from './requests.ts'
import { exampleOf } from './schema-fields.ts'

export interface TryOperationProps {
  readonly operation: Operation
  readonly description: Description
  readonly token: string
}

/** Fill in a request, send it or copy it as a command, and read the response. */
export function TryOperation({ operation, description, token }: TryOperationProps) {
  const { parameters, body, method } = operation
  const [values, setValues] = useState<Filled['parameters']>({})
  const [text, setText] = useState(() =>
    body ? JSON.stringify(exampleOf(description, body), null, 2) : '',
  )
  const filled = { parameters: values, body: text, token }
  const sending = useMutation({
    mutationFn: () => send(operation, filled),
    meta: { showsProblem: true },
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        sending.mutate()
      }}
    >
      <Stack gap="sm">
        {parameters.length > 0 && (
          <div className={classes.inputs}>
            {parameters.map(parameter => (
              <Parameter
                key={keyOf(parameter)}
                parameter={parameter}
                value={values[keyOf(parameter)] ?? ''}
                onChange={value => setValues({ ...values, [keyOf(parameter)]: value })}
              />
            ))}
          </div>
        )}
        {body && (
          <Textarea
            label={apiTexts.body}
            autosize
            minRows={2}
            maxRows={16}
            spellCheck={false}
            classNames={{ input: classes.name }}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {method !== 'GET' && (
          <Text size="xs" c="dimmed">
            {apiTexts.real}
          </Text>
        )}
        <Group>
          <Button type="submit" size="sm" loading={sending.isPending}>
            {apiTexts.send}
          </Button>
        </Group>
        <FormProblem problem={sending.error && apiTexts.unanswered} />
        {sending.data && <Answer received={sending.data} />}
        <CallElsewhere operation={operation} filled={filled} />
      </Stack>
    </form>
  )
}

interface ParameterProps {
  readonly parameter: ParameterObject
  readonly value: string
  onChange(value: string): void
}

function Parameter({ parameter, value, onChange }: ParameterProps) {
  const { name, required, schema } = parameter
  const about = parameter.description ?? schema.description
  const values = schema.enum?.map(String).join(', ')
  return (
    <TextInput
      label={name}
      description={(about ?? values)?.replaceAll('`', '')}
      required={required}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function Answer({ received: { status, tookMs, body } }: { readonly received: Received }) {
  return (
    <div>
      <Text role="status" size="sm" fw={600} mb={4}>
        {apiTexts.received(status, formatNumber(Math.round(tookMs)))}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={classes.answer} tabIndex={0} aria-label={apiTexts.answer}>
        {body || apiTexts.receivedNothing}
      </section>
    </div>
  )
}
