import { useQuery } from '@tanstack/react-query'
import { jobsQuery } from '../../../api/admin/jobs.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import things from '../../../shared/lists/things.module.css'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { JobRow } from './job-row.tsx'

/** The scheduled jobs and their results. */
export function JobsPage() {
  const { data: jobs, error } = useQuery(jobsQuery)
  if (error && !jobs) throw error
  return (
    <Page title={adminTexts.pages.jobs} lead={adminTexts.jobs.lead}>
      {jobs ? (
        <ul className={things.list}>
          {jobs.map(job => (
            <JobRow key={job.name} job={job} />
          ))}
        </ul>
      ) : (
        <Rows />
      )}
    </Page>
  )
}
