import type { Panel } from '../../../api/instance/panels.ts'
import type { Link } from '../../../api/links/links.ts'
import { PluginPanel } from '../../../shared/panels/panel.tsx'

export interface LinkPanelsProps {
  readonly panels: readonly Panel[]
  readonly link: Link
}

/** What plugins show and offer for a link. */
export function LinkPanels({ panels, link }: LinkPanelsProps) {
  return panels.map(panel => <PluginPanel key={panel.title} panel={panel} link={link.id} />)
}
