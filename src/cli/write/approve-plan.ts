import {commandLine} from '../../core/command-line.js'
import {toDuration} from '../../core/durations.js'
import {CliFailure, usage} from '../../core/errors.js'
import {approvalPath, writeApproval} from '../../runs/plan/check-approval.js'
import {readPlanDocument} from '../../runs/plan/read-plan-document.js'
import {countToSend} from '../../runs/rows/phases.js'
import {findKey} from '../../settings/credentials.js'
import {resolveSettings, toSettings} from '../../settings/settings.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import type {FlagValues, globalFlags} from '../app/flags.js'
import {askTyped, canAsk} from '../terminal/prompt.js'
import {approvalRulesOf} from './own-runs.js'
import type {approveFlags} from './sending-flags.js'
import {showPlan} from './show-plan.js'

type ApproveFlags = FlagValues<typeof approveFlags & typeof globalFlags>

/** Shows a plan, asks for the number of its records, and writes who approved it beside it. Throws `usage` without a terminal. */
export async function approvePlan(path: string, flags: ApproveFlags, context: CommandContext): Promise<void> {
  const milliseconds = toDuration(flags.expires ?? '24h', 'expires')
  if (!canAsk(flags)) throw usage('A plan is approved by a person on a terminal, and there is none.')
  const document = await readPlanDocument(path)
  const {head, digest, plan} = document
  const {baseUrl, stage} = head.target
  const resolved = resolveSettings({profile: flags.profile ?? head.target.profile}, context.environment)
  const settings = toSettings(resolved, {})
  if (!isSameService(settings.baseUrl, baseUrl) || settings.stage !== stage)
    throw usage(`${path} is for ${baseUrl} (${stage}), and profile ${resolved.profile} is not.`, 'Name it: --profile')
  await showPlan(path, {output: 'table'}, context)
  const count = String(countToSend(plan))
  if (!(await askTyped(`Type ${count} to approve ${head.command} in ${resolved.profile}`, count)))
    throw new CliFailure('Cancelled; nothing was approved.', {code: 'NOT_CONFIRMED', exit: 'failure'})
  const {environment} = context
  const key = (await findKey(resolved, environment)) ?? null
  const rules = approvalRulesOf(resolved, environment)
  const approved = {plan: digest, baseUrl, stage, key}
  const {kind, approval} = writeApproval(path, approved, milliseconds, rules, flags['ssh-key'])
  const how = kind === 'ssh' ? 'signed with your ssh key' : 'valid for you on this machine'
  context.messages.note(`${approvalPath(path)}: the approval, ${how}, until ${approval.expires}.`)
  const sending = {'apply-plan': path, profile: resolved.profile}
  context.messages.note(`→ Send it with: ${commandLine(head.command, [], sending)}`)
}
