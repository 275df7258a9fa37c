import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { type Domain, domainsKey, verifyDomain } from '../../api/links/domains.ts'
import { CodeBlock } from '../../shared/copy/code-block.tsx'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { messageOf, notifyDone } from '../../shared/notices/notify.ts'
import { domainsTexts } from '../../texts/domains.ts'
import classes from './proof.module.css'

/** The two ways to prove ownership of a host, and the button to check the proof. */
export function Proof({ domain: { id, host, verification } }: { readonly domain: Domain }) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => verifyDomain(id),
    meta: { showsProblem: true },
    onSuccess() {
      notifyDone(domainsTexts.nowVerified(host))
      return queryClient.invalidateQueries({ queryKey: domainsKey })
    },
  })
  const { type, recordName, value, address, content } = domainsTexts
  return (
    <div className={classes.proof}>
      <div>
        <h4>{domainsTexts.proveHeading}</h4>
        <p>{domainsTexts.proveLead}</p>
      </div>
      <div className={classes.ways}>
        <Way
          heading={domainsTexts.byDns}
          lead={domainsTexts.byDnsLead}
          values={[
            [type, verification.dns.type],
            [recordName, verification.dns.name],
            [value, verification.text],
          ]}
        />
        <Way
          heading={domainsTexts.byFile}
          lead={domainsTexts.byFileLead}
          values={[
            [address, verification.file.url],
            [content, verification.text],
          ]}
        />
      </div>
      <FormProblem problem={error && messageOf(error)} />
      <div className={classes.foot}>
        <Button loading={isPending} onClick={() => mutate()}>
          {domainsTexts.verify}
        </Button>
        <p>{domainsTexts.pointHere}</p>
      </div>
    </div>
  )
}

interface WayProps {
  readonly heading: string
  readonly lead: string
  readonly values: readonly (readonly [name: string, value: string])[]
}

function Way({ heading, lead, values }: WayProps) {
  return (
    <div>
      <h4>{heading}</h4>
      <p>{lead}</p>
      <dl className={classes.values}>
        {values.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <CodeBlock code={value} copyLabel={domainsTexts.copy(name)} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}
