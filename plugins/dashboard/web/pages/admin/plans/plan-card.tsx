import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Plan } from '../../../api/admin/plans.ts'
import { IconChevronRight } from '../../../shared/icons/icons.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { formatLimit, useLimits } from './limits.ts'
import { formatPricing } from './offer.ts'
import classes from './plan-card.module.css'

/** A summary of a plan, which links to its page. */
export function PlanCard({ plan }: { readonly plan: Plan }) {
  const limits = useLimits(plan)
  const features = [plan.link, plan.analytics, plan.developer, plan.extensions].flatMap(group =>
    Object.values<boolean>(group),
  )
  const included = features.filter(isIncluded => isIncluded).length
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          <Link to="/admin/plans/$slug" params={{ slug: plan.slug }} className={classes.link}>
            {plan.name}
          </Link>
        </Title>
        {plan.recommended && <Mark>{adminTexts.plans.recommended}</Mark>}
        {plan.isRetired && <Mark color="gray">{adminTexts.plans.retired}</Mark>}
        {plan.slug === 'unlimited' && <Mark color="gray">{adminTexts.plans.isDefault}</Mark>}
        <IconChevronRight size={18} aria-hidden="true" />
      </div>
      {plan.recommendedPricing && (
        <p className={classes.price}>{formatPricing(plan.recommendedPricing)}</p>
      )}
      <dl className={classes.limits}>
        {limits.map(limit => (
          <div key={limit.path}>
            <dt>{limit.label}</dt>
            <dd>{formatLimit(limit.of(plan))}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.features}>
        <span>
          {adminTexts.plans.included(formatNumber(included), formatNumber(features.length))}
        </span>
        <span>{adminTexts.plans.accounts(plan.accounts, formatNumber(plan.accounts))}</span>
      </p>
    </article>
  )
}
