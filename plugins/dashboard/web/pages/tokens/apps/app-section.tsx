import { Button, Group, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { createToken, tokensKey } from '../../../api/account/tokens.ts'
import { CodeBlock } from '../../../shared/copy/code-block.tsx'
import { saveFile } from '../../../shared/copy/save-file.ts'
import { IconDownload, IconKey } from '../../../shared/icons/icons.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { appsTexts } from '../../../texts/tokens.ts'
import classes from './app-section.module.css'
import { type App, scopesOfAssistants, snippets } from './snippets.ts'

/** What stands in place of a token until there is one. */
const placeholder = 'lnt_…'

/** The names of files that programs open. */
const fileNames: Partial<Record<App, string>> = { shareX: 'linnet.sxcu', raycast: 'shorten-url.sh' }

/** What one program needs. A token that is made for it is shown only here, until one leaves the page. */
export function AppSection({ app, canMake }: { readonly app: App; readonly canMake: boolean }) {
  const refresh = useRefresh()
  const { name, lead } = appsTexts.apps[app]
  const make = useMutation({
    mutationFn: () =>
      createToken({
        name,
        scopes: app === 'assistant' ? [...scopesOfAssistants] : ['links:write'],
      }),
    onSuccess: () => refresh(tokensKey),
  })
  const token = make.data?.token ?? placeholder
  const snippet = snippets[app]({ origin: window.location.origin, token })
  const fileName = fileNames[app]
  const needsToken = snippet.includes(token)
  return (
    <section className={classes.app} aria-label={name}>
      <Title order={2} size="h4">
        {name}
      </Title>
      <Text size="sm">{lead}</Text>
      <CodeBlock code={snippet} copyLabel={appsTexts.copyOf(name)} />
      <Group gap="sm">
        {needsToken && !make.data && (
          <Button
            variant="default"
            leftSection={<IconKey size={17} />}
            disabled={!canMake}
            loading={make.isPending}
            onClick={() => make.mutate()}
          >
            {appsTexts.makeFor(name)}
          </Button>
        )}
        {fileName && (
          <Button
            variant="default"
            leftSection={<IconDownload size={17} />}
            onClick={() => saveFile(new Blob([snippet]), fileName)}
          >
            {appsTexts.save(fileName)}
          </Button>
        )}
      </Group>
      {make.data && (
        <Text size="sm" role="status">
          {appsTexts.made}
        </Text>
      )}
    </section>
  )
}
