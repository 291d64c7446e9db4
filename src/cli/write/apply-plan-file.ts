import type {PlanDocument} from '../../runs/plan/read-plan-document.js'
import type {RunReport} from '../../runs/report/report.js'
import {openPlan} from '../../runs/write/plan-file.js'
import {findKey} from '../../settings/credentials.js'
import {type Resolved, resolveSettings, toSettings} from '../../settings/settings.js'
import {planCommand, type WriteRequest} from './open-write.js'
import {approvalRulesOf, runFolderOf} from './own-runs.js'
import {writeRows} from './run-write.js'

/** Applies the plan of a file. Throws a `CliFailure` when the plan does not fit. */
export async function applyPlanFile(request: WriteRequest, path: string): Promise<void> {
  const {operation, flags, context} = request
  const {environment} = context
  let copies: Pick<RunReport, 'copies'> = {}
  await writeRows(
    request,
    async (needs) => {
      const resolved = resolveSettings(flags, environment)
      const opened = await openPlan({
        ...{path, operation, command: planCommand(request), digest: flags['plan-digest'], file: flags.file},
        ...{service: toSettings(resolved, flags), folder: runFolderOf(environment)},
        approve: (document) => findApproval(document, resolved, request),
      })
      copies = opened.copies
      return opened.plan(needs)
    },
    {finish: (report) => ({...report, ...copies})},
  )
}

/** Who approved the plan, where the profile demands somebody. */
async function findApproval(document: PlanDocument, resolved: Resolved, {flags, context}: WriteRequest) {
  if (resolved.values.approval.value === 'none' || flags['dry-run']) return null
  const {environment} = context
  const key = (await findKey(resolved, environment)) ?? ''
  const {checkApproval} = await import('../../runs/plan/check-approval.js')
  return checkApproval(document, approvalRulesOf(resolved, environment), key)
}
