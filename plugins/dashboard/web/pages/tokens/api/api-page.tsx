import { Accordion, Anchor, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { profileQuery } from '../../../api/account/profile.ts'
import { type Description, descriptionQuery } from '../../../api/instance/description.ts'
import { IconSearch } from '../../../shared/icons/icons.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { BackLink } from '../../../shared/page/back-link.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { apiTexts } from '../../../texts/api.ts'
import classes from './api-page.module.css'
import { OperationDetails } from './operation-details.tsx'
import { type Group, groupsOf } from './operations.ts'
import { TokenField } from './token-field.tsx'

/** The API of this instance: all requests, to read about and to try with a token. */
export function ApiPage() {
  const { data: description, error } = useQuery(descriptionQuery)
  const [search, setSearch] = useState('')
  const [token, setToken] = useState('')
  if (error && !description) throw error
  return (
    <>
      <BackLink to="/tokens" label={apiTexts.back} />
      <Page
        title={apiTexts.title}
        lead={apiTexts.lead}
        actions={
          <Anchor href="/api/v1/openapi.json" download="linnet-openapi.json" size="sm">
            {apiTexts.file}
          </Anchor>
        }
      >
        <TokenField token={token} onChange={setToken} />
        <TextInput
          type="search"
          my="md"
          aria-label={apiTexts.search}
          placeholder={apiTexts.search}
          leftSection={<IconSearch size={17} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {description ? (
          <Groups description={description} search={search} token={token} />
        ) : (
          <Rows />
        )}
      </Page>
    </>
  )
}

interface GroupsProps {
  readonly description: Description
  readonly search: string
  readonly token: string
}

function Groups({ description, search, token }: GroupsProps) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const groups = groupsOf(description, search).filter(
    // Everybody but admins would only get refusals from these.
    ({ name }) => profile.isAdmin || name !== 'Admin',
  )
  if (groups.length === 0) return <Text role="status">{apiTexts.noneFound}</Text>
  return groups.map(group => (
    <Operations key={group.name} group={group} description={description} token={token} />
  ))
}

interface OperationsProps extends Omit<GroupsProps, 'search'> {
  readonly group: Group
}

function Operations({ group, description, token }: OperationsProps) {
  return (
    <section className={classes.group}>
      <Title order={2} size="h4">
        {group.name}
      </Title>
      <p className={classes.about}>{group.about}</p>
      <Accordion
        multiple
        variant="separated"
        order={3}
        keepMounted={false}
        classNames={{ item: classes.item, control: classes.control, label: classes.label }}
      >
        {group.operations.map(operation => (
          <Accordion.Item key={operation.id} value={operation.id}>
            <Accordion.Control>
              <span className={classes.method} data-method={operation.method}>
                {operation.method}
              </span>
              <code className={classes.path}>{operation.path.replace('/api/v1', '')}</code>
              <span className={classes.summary}>{operation.summary}</span>
            </Accordion.Control>
            <Accordion.Panel>
              <OperationDetails operation={operation} description={description} token={token} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </section>
  )
}
