import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { addPluginPackage } from '../../../../api/admin/plugin-packages.ts'
import { useSubmit } from '../../../../shared/forms/use-submit.ts'
import { FormProblem } from '../../../../shared/notices/form-problem.tsx'
import { adminTexts } from '../../../../texts/admin.ts'
import { Panel } from '../../panel.tsx'
import classes from './add-package.module.css'
import { useShowInstalled } from './use-show-installed.ts'

const words = adminTexts.packages

/** Installs a package of the npm registry. */
export function AddPackage() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { package: '' } })
  const showInstalled = useShowInstalled()
  const { submit, isPending, problem } = useSubmit(
    form,
    values => addPluginPackage(values.package.trim()),
    async installed => {
      form.reset()
      await showInstalled(installed)
    },
  )
  return (
    <Panel heading={words.addHeading}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <div className={classes.line}>
            <TextInput
              key={form.key('package')}
              label={words.name}
              description={words.nameHint}
              className={classes.name}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              required
              {...form.getInputProps('package')}
            />
            <Button type="submit" loading={isPending} className={classes.button}>
              {words.add}
            </Button>
          </div>
          <Text size="sm" c="dimmed" role="status" className={classes.status}>
            {isPending && words.adding}
          </Text>
          <FormProblem problem={problem} />
        </Stack>
      </form>
    </Panel>
  )
}
