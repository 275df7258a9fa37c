import { NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { adminTexts } from '../../../texts/admin.ts'
import { noPricing, terms } from './offer.ts'
import classes from './offer-fields.module.css'
import type { PlanValues } from './plan-values.ts'

const words = adminTexts.plans

export interface OfferFieldsProps {
  readonly form: UseFormReturnType<PlanValues>
}

/** What customers see of a plan: whether it is recommended, and what it costs. */
export function OfferFields({ form }: OfferFieldsProps) {
  const { recommended_pricing: pricing } = form.values
  // The price from before somebody removed it.
  const [last, setLast] = useState(pricing ?? noPricing)
  return (
    <Stack gap="lg">
      <Switch
        label={words.recommended}
        description={words.recommendedHint}
        {...form.getInputProps('recommended', { type: 'checkbox' })}
      />
      <Switch
        label={words.hasPrice}
        description={words.hasPriceHint}
        checked={pricing !== null}
        onChange={({ currentTarget }) => {
          if (pricing) setLast(pricing)
          form.setFieldValue('recommended_pricing', currentTarget.checked ? last : null)
        }}
      />
      {pricing && (
        <div className={classes.prices}>
          {terms.map(term => (
            <Price key={term} form={form} term={term} />
          ))}
        </div>
      )}
    </Stack>
  )
}

function Price({ form, term }: OfferFieldsProps & { readonly term: (typeof terms)[number] }) {
  const path = `recommended_pricing.${term}` as const
  const currency = form.getInputProps(`${path}.currency`)
  return (
    <div className={classes.price}>
      <NumberInput
        label={words.amounts[term]}
        allowNegative={false}
        clampBehavior="none"
        thousandSeparator
        hideControls
        {...form.getInputProps(`${path}.amount`)}
      />
      <TextInput
        label={words.currency}
        aria-label={words.currencyOf[term]}
        placeholder="EUR"
        autoCapitalize="characters"
        spellCheck={false}
        {...currency}
        onChange={({ currentTarget }) => currency.onChange(currentTarget.value.toUpperCase())}
      />
    </div>
  )
}
