import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useHosts } from '../../../api/links/hosts.ts'
import { ChooseOne } from '../../../shared/choices/choose-one.tsx'
import { IconPlus, IconTrash } from '../../../shared/icons/icons.ts'
import { moveInTexts } from '../../../texts/many.ts'
import classes from './moved-hosts.module.css'

/** Where the links of one host of the program go; `to` is empty for the domain of this instance. */
export interface MovedHost {
  readonly from: string
  readonly to: string
}

export interface MovedHostsProps {
  readonly hosts: readonly MovedHost[]
  onChange(hosts: readonly MovedHost[]): void
}

/** Says which links go to which domain. */
export function MovedHosts({ hosts, onChange }: MovedHostsProps) {
  const set = (index: number, change: Partial<MovedHost>) =>
    onChange(hosts.map((it, at) => (at === index ? { ...it, ...change } : it)))
  return (
    <fieldset className={classes.hosts}>
      <legend>{moveInTexts.hosts}</legend>
      <p>{moveInTexts.hostsHint}</p>
      {hosts.map((host, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else that stays
        <div key={index} className={classes.row}>
          <TextInput
            label={moveInTexts.theirHost}
            placeholder="s.example.com"
            maxLength={253}
            value={host.from}
            onChange={event => set(index, { from: event.currentTarget.value })}
          />
          <ChooseHost
            label={moveInTexts.ourHost}
            value={host.to}
            onChange={to => set(index, { to })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={moveInTexts.removeHost(host.from)}
            onClick={() => onChange(hosts.filter((_, at) => at !== index))}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="subtle"
        leftSection={<IconPlus size={18} />}
        onClick={() => onChange([...hosts, { from: '', to: '' }])}
      >
        {moveInTexts.addHost}
      </Button>
    </fieldset>
  )
}

export interface ChooseHostProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  onChange(value: string): void
}

/** A domain for links, or that of this instance, which is empty. */
export function ChooseHost({ value, onChange, ...props }: ChooseHostProps) {
  const { open } = useHosts()
  return (
    <ChooseOne
      {...props}
      data={[{ value: ownHost, label: moveInTexts.thisHost }, ...open]}
      value={value === '' ? ownHost : value}
      onChange={chosen => onChange(chosen === null || chosen === ownHost ? '' : chosen)}
      allowDeselect={false}
    />
  )
}

/** No domain is called so. */
const ownHost = '.'

/** As the API takes them: null is the domain of this instance. */
export function hostsOf(hosts: readonly MovedHost[]): Record<string, string | null> {
  const named = hosts.filter(({ from }) => from.trim() !== '')
  return Object.fromEntries(named.map(({ from, to }) => [from.trim().toLowerCase(), to || null]))
}
