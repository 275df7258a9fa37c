import { Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Brand,
  brandQuery,
  type PreviewedPage,
  updateBrand,
} from '../../../api/admin/brand.ts'
import { ColorText } from '../../../shared/forms/color-text.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { Panel } from '../panel.tsx'
import { SaveBar } from '../save-bar.tsx'
import { useFocusProblem } from '../use-focus-problem.ts'
import { Adjustments } from './adjustments.tsx'
import classes from './brand-form.module.css'
import { brandChange, brandIn, brandValues } from './brand-values.ts'
import { LogoField } from './logo-field.tsx'
import { Preview } from './preview.tsx'
import { usePreview } from './use-preview.ts'

const words = adminTexts.brand

/** Name, colour and logo, beside a preview that already has them. */
export function BrandForm({ brand }: { readonly brand: Brand }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: brandValues(brand) })
  const [page, setPage] = useState<PreviewedPage>('password')
  const preview = usePreview(form.values, page)
  const element = useFocusProblem(form.errors)
  const { submit, isPending, problem } = useSubmit(
    form,
    values => updateBrand(brandChange(brand, brandIn(values))),
    saved => {
      queryClient.setQueryData(brandQuery.queryKey, saved)
      form.setInitialValues(brandValues(saved))
      form.reset()
      notifyDone(words.saved)
    },
  )
  const propsOf = (field: 'name' | 'color') => ({
    ...form.getInputProps(field),
    error: form.errors[field] ?? preview.fields[field],
  })

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <div className={classes.sides}>
        <Panel heading={words.heading}>
          <Stack gap="lg">
            <TextInput label={words.name} description={words.nameHint} {...propsOf('name')} />
            <div>
              <ColorText
                label={words.color}
                description={words.colorHint}
                placeholder={words.noColor}
                {...propsOf('color')}
              />
              <Adjustments adjustments={preview.adjustments} />
            </div>
            <LogoField
              logo={form.values.logo}
              error={form.errors.logo ?? preview.fields.logo}
              onChange={logo => form.setFieldValue('logo', logo)}
              onRefuse={problem => form.setFieldError('logo', problem)}
            />
          </Stack>
        </Panel>
        <Panel heading={words.preview} lead={words.previewLead}>
          <Preview page={page} onTurn={setPage} html={preview.html} error={preview.error} />
        </Panel>
      </div>
      <FormProblem problem={problem} />
      <SaveBar isShown={form.isDirty()} isPending={isPending} onDiscard={form.reset} />
    </form>
  )
}
