import { Badge } from '@mantine/core'
import type { Simulation } from '../../../api/links/rules.ts'
import { IconCheck, IconX } from '../../../shared/icons/icons.ts'
import { formatShare } from '../../../shared/text/format.ts'
import { rulesTexts } from '../../../texts/rules.ts'
import type { Condition } from './rules.ts'
import classes from './rules-field.module.css'
import { tellCondition, tellValue } from './tell.ts'

type Verdict = Simulation['rules'][number]

/** Which rule matches, and why the others do not. */
export function Verdicts({ result }: { readonly result: Simulation }) {
  return (
    <div className={classes.result} role="status">
      <p>
        <strong>{result.rule === null ? rulesTexts.noneWins : rulesTexts.wins(result.rule)}</strong>{' '}
        {rulesTexts.goesTo} <span className={classes.url}>{result.originalUrl}</span>
      </p>
      <ol className={classes.verdicts}>
        {result.rules.map((rule, place) => (
          <li key={keyOf(rule, place)} data-reached={rule.reached}>
            <span className={classes.verdict}>
              <strong>{rule.name}</strong> <VerdictBadge rule={rule} />
            </span>
            <Reasons rule={rule} />
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Names may repeat, so the key has the index of the rule as it was tried. */
function keyOf({ name }: Verdict, place: number): string {
  return `${place} ${name}`
}

function VerdictBadge({ rule: { wins, reached } }: { readonly rule: Verdict }) {
  const { verdicts } = rulesTexts
  const [color, word] = wins
    ? ['teal', verdicts.wins]
    : ['gray', reached ? verdicts.fails : verdicts.unreached]
  return (
    <Badge
      component="span"
      variant="light"
      color={color}
      c="var(--mantine-color-text)"
      tt="none"
      fw={600}
    >
      {word}
    </Badge>
  )
}

function Reasons({ rule: { conditions, share } }: { readonly rule: Verdict }) {
  return (
    <ul className={classes.reasons}>
      {conditions.map(({ holds, seen, expected, type, ...condition }) => (
        <Reason key={JSON.stringify([type, condition, expected])} holds={holds}>
          {tellCondition({ type, ...condition, value: expected } as Condition)} (
          {rulesTexts.seen(seen === null ? rulesTexts.unknown : tellValue(type, seen))})
        </Reason>
      ))}
      {share && (
        <Reason holds={share.holds}>
          {rulesTexts.shareDrawn(percent(share.from), percent(share.to), percent(share.drawn))}
        </Reason>
      )}
      {conditions.length === 0 && !share && <Reason holds>{rulesTexts.noConditions}</Reason>}
    </ul>
  )
}

interface ReasonProps {
  readonly holds: boolean
  readonly children: React.ReactNode
}

function Reason({ holds, children }: ReasonProps) {
  const Mark = holds ? IconCheck : IconX
  const { yes, no } = rulesTexts
  return (
    <li>
      <Mark size={16} role="img" aria-label={holds ? yes : no} data-holds={holds} />
      <span>{children}</span>
    </li>
  )
}

function percent(part: number): string {
  return formatShare(part / 100)
}
