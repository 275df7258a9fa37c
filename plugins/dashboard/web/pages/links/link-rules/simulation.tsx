import { Button, Select, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type KeyboardEvent, useState } from 'react'
import {
  type ImaginedVisit,
  type Simulation as Result,
  simulate,
} from '../../../api/links/rules.ts'
import { ChooseOne } from '../../../shared/choices/choose-one.tsx'
import { toMoment } from '../../../shared/fields/moments.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { rulesTexts } from '../../../texts/rules.ts'
import { countries } from './names.ts'
import classes from './rules-field.module.css'
import { Verdicts } from './verdicts.tsx'

export interface SimulationProps {
  readonly id: string
  /** Whether the saved rules, which the simulation uses, are those in the form. */
  readonly isSaved: boolean
}

interface Said {
  readonly country: string | null
  readonly city: string
  readonly device: string | null
  readonly language: string
  readonly os: string
  readonly browser: string
  readonly query: string
  readonly visitor: string
  readonly time: string
}

const nobody: Said = {
  country: null,
  city: '',
  device: null,
  language: '',
  os: '',
  browser: '',
  query: '',
  visitor: '',
  time: '',
}

/** Tries the rules out on an imagined visitor. */
export function Simulation({ id, isSaved }: SimulationProps) {
  const [result, setResult] = useState<Result>()
  const form = useForm({ initialValues: nobody })
  const { submit, isPending, problem } = useSubmit(
    form,
    said => simulate(id, visitOf(said)),
    setResult,
  )
  const { trying, tryingLead, trySaved, anything, now, ...labels } = rulesTexts
  const text = (
    name: 'city' | 'os' | 'browser' | 'language' | 'query' | 'visitor',
    placeholder: string,
  ) => (
    <TextInput
      label={labels[name]}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps(name)}
    />
  )

  return (
    // Forms cannot be nested, so Enter is handled here.
    <section className={classes.try} aria-label={trying} onKeyDown={onEnter(submit)}>
      <Title order={4} size="h5">
        {trying}
      </Title>
      <p className={classes.note}>
        {tryingLead} {!isSaved && <strong>{trySaved}</strong>}
      </p>
      <div className={classes.visitor}>
        <ChooseOne
          label={labels.country}
          placeholder={anything}
          data={countries}
          clearable
          {...form.getInputProps('country')}
        />
        {text('city', 'Munich')}
        {text('language', 'de-AT, en;q=0.5')}
        <Select
          label={labels.device}
          placeholder={anything}
          data={Object.entries(labels.devices).map(([value, label]) => ({ value, label }))}
          clearable
          {...form.getInputProps('device')}
        />
        {text('os', 'Android')}
        {text('browser', 'Firefox')}
        {text('query', 'ref=letter')}
        {text('visitor', '203.0.113.7')}
        <TextInput type="datetime-local" label={labels.time} {...form.getInputProps('time')} />
      </div>
      <FormProblem problem={problem} />
      <Button variant="light" className={classes.add} loading={isPending} onClick={() => submit()}>
        {labels.try}
      </Button>
      {result && <Verdicts result={result} />}
    </section>
  )
}

/** Leaves out what is not filled in. */
function visitOf({ time, ...said }: Said): ImaginedVisit {
  const given = Object.entries(said).filter(([, value]) => value)
  const at = toMoment(time)
  return { ...Object.fromEntries(given), ...(at && { time: at }) }
}

function onEnter(submit: () => void) {
  return (event: KeyboardEvent) => {
    const isInput = event.target instanceof HTMLInputElement
    if (event.key !== 'Enter' || !isInput || event.defaultPrevented) return
    event.preventDefault()
    submit()
  }
}
