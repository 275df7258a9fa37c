import { Text, Title } from '@mantine/core'
import type { Description } from '../../../api/instance/description.ts'
import { apiTexts } from '../../../texts/api.ts'
import classes from './api-page.module.css'
import { FieldsTable } from './fields-table.tsx'
import type { Operation } from './operations.ts'
import { fieldsOf } from './schema-fields.ts'
import { TryOperation } from './try-operation.tsx'

export interface OperationDetailsProps {
  readonly operation: Operation
  readonly description: Description
  readonly token: string
}

/** The parameters and answers of a request, and a form to send it. */
export function OperationDetails({ operation, description, token }: OperationDetailsProps) {
  const { about, body, answers } = operation
  const success = answers.find(({ status }) => status.startsWith('2'))
  return (
    <div className={classes.details}>
      <Text size="sm">{about.replaceAll('`', '')}</Text>
      <TryOperation operation={operation} description={description} token={token} />
      {body && <Fields heading={apiTexts.body} fields={fieldsOf(description, body)} />}
      {success?.schema && (
        <Fields heading={apiTexts.answer} fields={fieldsOf(description, success.schema)} />
      )}
      <section>
        <Heading>{apiTexts.answers}</Heading>
        <dl className={classes.answers}>
          {answers.map(({ status, about }) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>{about.replaceAll('`', '')}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}

function Fields({
  heading,
  fields,
}: {
  readonly heading: string
  readonly fields: ReturnType<typeof fieldsOf>
}) {
  if (fields.length === 0) return null
  return (
    <section>
      <Heading>{heading}</Heading>
      <FieldsTable label={heading} fields={fields} />
    </section>
  )
}

function Heading({ children }: { readonly children: string }) {
  return (
    <Title order={4} size="sm" mb="xs">
      {children}
    </Title>
  )
}
